/* git.exe: hands a call to git on Linux, since Wine gives no handle to wait for it.
 *
 * The file "port" beside it has the port of git_server.py. A message is a kind, a
 * length of four bytes (the lowest first), and that many bytes. To the server: "d" the
 * current folder, "a" an argument, "e" a variable as NAME=VALUE, "g" go, "i" input, its
 * end without bytes. From it: "o" output, "x" error output, "q" the exit code.
 */
#include <winsock2.h>
#include <windows.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static SOCKET server;

/* Nothing ends here if the server is gone: `take` sees it too, and two threads that
 * end a process at once can wait for each other. */
static void give(char kind, const char *bytes, unsigned length)
{
    char head[5] = {kind, length, length >> 8, length >> 16, length >> 24};
    send(server, head, 5, 0);
    while (length > 0) {
        int sent = send(server, bytes, length, 0);
        if (sent <= 0)
            return;
        bytes += sent;
        length -= sent;
    }
}

static void give_text(char kind, const wchar_t *text)
{
    static char bytes[1 << 16];
    int length = WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, sizeof bytes, 0, 0);
    give(kind, bytes, length - 1);
}

static DWORD WINAPI give_input(void *nothing)
{
    static char bytes[1 << 16];
    DWORD length = 0;
    while (ReadFile(GetStdHandle(STD_INPUT_HANDLE), bytes, sizeof bytes, &length, 0)
           && length > 0)
        give('i', bytes, length);
    give('i', "", 0);
    return 0;
}

static int take(char *bytes, unsigned length)
{
    while (length > 0) {
        int got = recv(server, bytes, length, 0);
        if (got <= 0)
            return 0;
        bytes += got;
        length -= got;
    }
    return 1;
}

static unsigned short read_port(void)
{
    wchar_t name[MAX_PATH];
    GetModuleFileNameW(0, name, MAX_PATH);
    wcscpy(wcsrchr(name, L'\\') + 1, L"port");
    FILE *file = _wfopen(name, L"r");
    int port = 0;
    if (file)
        fscanf(file, "%d", &port);
    return port;
}

int wmain(int count, wchar_t **arguments)
{
    WSADATA data;
    WSAStartup(MAKEWORD(2, 2), &data);
    server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(read_port())};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(server, (void *)&address, sizeof address))
        return 97;

    static wchar_t folder[1 << 15];
    GetCurrentDirectoryW(1 << 15, folder);
    give_text('d', folder);
    for (int i = 1; i < count; i++)
        give_text('a', arguments[i]);
    wchar_t *variable = GetEnvironmentStringsW();
    for (; *variable; variable += wcslen(variable) + 1)
        give_text('e', variable);
    give('g', "", 0);
    CreateThread(0, 0, give_input, 0, 0, 0);

    static char bytes[1 << 16];
    char head[5];
    while (take(head, 5)) {
        unsigned length = *(unsigned *)(head + 1);
        if (!take(bytes, length))
            break;
        if (head[0] == 'q') {
            shutdown(server, SD_BOTH);
            ExitProcess((unsigned char)bytes[0]);
        }
        DWORD written;
        int stream = head[0] == 'o' ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE;
        if (!WriteFile(GetStdHandle(stream), bytes, length, &written, 0))
            break;
    }
    return 96;
}
