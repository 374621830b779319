/*
 * call_sockets: a connection over the loopback interface and datagrams over a unix socket.
 * Addresses, lengths, options and payload are constants or lie on untouched pages. One option
 * attaches a filter, and its value holds the filter's address.
 */
#include "guest.h"
#include "show.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>

#define OWN_SO_ATTACH_FILTER 26

struct filter {
	uint16_t code;
	uint8_t yes, no;
	uint32_t value;
};

struct program {
	uint16_t length;
	const struct filter *filters;
};

static char area[512 * PAGE] __attribute__((aligned(PAGE)));
static const struct sockaddr_in loopback
    __attribute__((aligned(PAGE))) = {.sin_family = AF_INET, .sin_addr = {.s_addr = 0x0100007f}};
static const int enabled __attribute__((aligned(PAGE))) = 1;
static const struct timeval patience __attribute__((aligned(PAGE))) = {20, 0};
/* Accepts the header of every datagram and three bytes. */
static const struct filter accept_three[] __attribute__((aligned(PAGE))) = {{6, 0, 0, 8 + 3}};
static const struct program program __attribute__((aligned(PAGE))) = {1, accept_three};
static char data[4 * PAGE] __attribute__((aligned(PAGE))) = {[2 * PAGE - 2] = 'd', 'a', 't', 'a'};
static int page;

static void *straddling(int before)
{
	page += 3;
	return area + page * PAGE - before;
}

static void stream(void)
{
	int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0),
	    peer;
	struct sockaddr_in *name = straddling(8), *from = straddling(8), *own = straddling(8);
	socklen_t *length = straddling(2), *from_length = straddling(2), *size = straddling(2);
	int *value = straddling(2);
	char *received = straddling(2);

	show("reuse", setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &enabled, sizeof(enabled)));
	show("bind", bind(server, (const void *)&loopback, sizeof(loopback)));
	show("listen", listen(server, 5));
	*length = 100;
	show("getsockname", getsockname(server, (void *)name, length));
	printf("%u bytes, family %d\n", *length, name->sin_family);
	show("connect", connect(client, (void *)name, *length));
	*from_length = 100;
	peer = accept4(server, (void *)from, from_length, SOCK_CLOEXEC);
	printf("%u bytes\n", *from_length);
	show("getpeername", getpeername(client, (void *)own, length));
	printf("%d\n", own->sin_port == name->sin_port);
	show("patience", setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)));
	*size = sizeof(int);
	show("getsockopt", getsockopt(peer, SOL_SOCKET, SO_TYPE, value, size));
	printf("%d\n", *value);
	show("info", getsockopt(peer, IPPROTO_TCP, TCP_INFO, straddling(100), straddling(2)));
	show("send", send(client, data + 2 * PAGE - 2, 4, 0));
	show("recv", recv(peer, received, 4, MSG_WAITALL));
	printf("%.4s\n", received);
	show("no address", connect(client, straddling(8), 16));
}

static void datagrams(void)
{
	int one = socket(AF_INET, SOCK_DGRAM, 0), two = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in *name = straddling(8), *from = straddling(8);
	socklen_t *length = straddling(2), *from_length = straddling(2);
	char *received = straddling(2);

	bind(one, (const void *)&loopback, sizeof(loopback));
	bind(two, (const void *)&loopback, sizeof(loopback));
	*length = *from_length = sizeof(*name);
	getsockname(one, (void *)name, length);
	show("filter",
	     setsockopt(one, SOL_SOCKET, OWN_SO_ATTACH_FILTER, &program, sizeof(program)));
	setsockopt(one, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	show("sendto", sendto(two, data + 2 * PAGE - 2, 4, 0, (void *)name, *length));
	show("recvfrom", recvfrom(one, received, 100, 0, (void *)from, from_length));
	printf("%.4s, from %u bytes, family %d\n", received, *from_length, from->sin_family);
	show("sendto", sendto(one, straddling(50), 100, 0, (void *)from, *from_length));
	show("recvfrom", recvfrom(two, straddling(50), 5000, 0, NULL, NULL));
	show("nobody", sendto(one, straddling(50), 100, 0, straddling(8), 16));
}

int main(void)
{
	stream();
	datagrams();
	mark();
}
