/* taskkill.exe /T /F /PID number: ends a process and all that it started. Wine 8's has no /T. */
#include <windows.h>
#include <tlhelp32.h>
#include <stdlib.h>

static void end_tree(DWORD id)
{
    HANDLE process = OpenProcess(PROCESS_TERMINATE, 0, id);
    if (!process)
        return;
    TerminateProcess(process, 1);
    HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
    PROCESSENTRY32 each = {.dwSize = sizeof each};
    for (BOOL is_more = Process32First(all, &each); is_more; is_more = Process32Next(all, &each))
        if (each.th32ParentProcessID == id && each.th32ProcessID != id)
            end_tree(each.th32ProcessID);
    CloseHandle(all);
    CloseHandle(process);
}

int wmain(int count, wchar_t **arguments)
{
    if (count != 5 || wcscmp(arguments[1], L"/T") || wcscmp(arguments[3], L"/PID"))
        return 1;
    end_tree(_wtoi(arguments[4]));
    return 0;
}
