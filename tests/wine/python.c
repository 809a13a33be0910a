/* python.exe: starts the CPython for Windows that a wheel brings as python311.dll. */
#include <windows.h>

int wmain(int count, wchar_t **arguments)
{
    HMODULE python = LoadLibraryW(L"python311.dll");
    if (!python)
        return 99;
    int (*start)(int, wchar_t **) = (void *)GetProcAddress(python, "Py_Main");
    return start(count, arguments);
}
