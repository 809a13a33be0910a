/* git.exe that hangs, behind a wrapper, as Git for Windows' cmd\git.exe is one. */
#include <windows.h>
#include <stdio.h>

int wmain(int count, wchar_t **arguments)
{
    if (count == 2 && !wcscmp(arguments[1], L"hang")) {
        Sleep(120000);
        return 0;
    }
    wchar_t name[MAX_PATH];
    wchar_t command[MAX_PATH + 10];
    GetModuleFileNameW(0, name, MAX_PATH);
    swprintf(command, MAX_PATH + 10, L"\"%ls\" hang", name);
    STARTUPINFOW start = {.cb = sizeof start};
    PROCESS_INFORMATION child;
    if (!CreateProcessW(0, command, 0, 0, TRUE, 0, 0, 0, &start, &child))
        return 97;
    WaitForSingleObject(child.hProcess, INFINITE);
    return 0;
}
