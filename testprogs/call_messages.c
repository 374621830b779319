/*
 * call_messages: sendmsg, recvmsg, sendmmsg and recvmmsg over unix sockets. Headers, vectors,
 * names, control buffers and payload each lie on untouched pages. Descriptors are sent, too.
 */
#include "guest.h"
#include "show.h"

#include <sys/socket.h>
#include <sys/un.h>

#define COUNT 70 /* headers of 64 bytes: more than a page of them */

static char area[1024 * PAGE] __attribute__((aligned(PAGE)));
static char data[2 * PAGE]
    __attribute__((aligned(PAGE))) = {[PAGE - 3] = 'm', 'e', 's', 's', 'a', 'g', 'e'};

static int page;

/* A place for so many bytes, half of them at the end of one page, half on the next. */
static void *straddling(size_t size)
{
	page += 3;
	return area + page * PAGE - (size < 16 ? size / 2 : size / 16 * 8);
}

static void fill(struct msghdr *header, void *payload, size_t length)
{
	header->msg_iov = straddling(sizeof(struct iovec));
	header->msg_iov[0] = (struct iovec){payload, length};
	header->msg_iovlen = 1;
}

static void with_descriptor(int ends[2])
{
	struct msghdr *out = straddling(sizeof(*out)), *in = straddling(sizeof(*in));
	char *payload = straddling(7);
	struct cmsghdr *control;
	int number = -1;

	fill(out, data + PAGE - 3, 7);
	out->msg_control = straddling(CMSG_SPACE(sizeof(int)));
	out->msg_controllen = CMSG_SPACE(sizeof(int));
	control = CMSG_FIRSTHDR(out);
	control->cmsg_len = CMSG_LEN(sizeof(int));
	control->cmsg_level = SOL_SOCKET;
	control->cmsg_type = SCM_RIGHTS;
	memcpy(CMSG_DATA(control), &ends[1], sizeof(int));
	fill(in, payload, 7);
	in->msg_control = straddling(CMSG_SPACE(64));
	in->msg_controllen = CMSG_SPACE(64);
	show("sendmsg", sendmsg(ends[0], out, 0));
	show("recvmsg", recvmsg(ends[1], in, 0));
	control = CMSG_FIRSTHDR(in);
	if (control)
		memcpy(&number, CMSG_DATA(control), sizeof(int));
	printf("%.7s, flags %d, control %zu\n", payload, in->msg_flags, (size_t)in->msg_controllen);
	show("through it", write(number, "xy", 2));
	show("read", read(ends[0], payload, 2));
}

static void by_name(void)
{
	struct sockaddr_un *name = straddling(sizeof(*name)), *from = straddling(sizeof(*from));
	struct msghdr *out = straddling(sizeof(*out)), *in = straddling(sizeof(*in));
	int one = socket(AF_UNIX, SOCK_DGRAM, 0), two = socket(AF_UNIX, SOCK_DGRAM, 0);
	socklen_t *length = straddling(sizeof(*length));
	const struct sockaddr own = {.sa_family = AF_UNIX};
	char *payload = straddling(8);

	name->sun_family = AF_UNIX;
	show("bind", bind(one, (void *)name, sizeof(sa_family_t)));
	*length = sizeof(*name);
	show("name", getsockname(one, (void *)name, length));
	show("bind", bind(two, &own, 0) == -1);
	show("bind", bind(two, &own, sizeof(own.sa_family)));
	fill(out, data + PAGE - 3, 4);
	out->msg_name = name;
	out->msg_namelen = *length;
	fill(in, payload, 8);
	in->msg_name = from;
	in->msg_namelen = sizeof(*from);
	show("sendmsg", sendmsg(two, out, 0));
	show("recvmsg", recvmsg(one, in, 0));
	printf("%.8s, from %d bytes, %d\n", payload, (int)in->msg_namelen, from->sun_family);
}

static void many(int ends[2])
{
	struct mmsghdr *out = straddling(2 * PAGE), *in;
	int total = 0;

	page += 4;
	in = straddling(2 * PAGE);
	page += 4;
	for (int i = 0; i < COUNT; i++) {
		fill(&out[i].msg_hdr, data + PAGE - 3, (size_t)i % 7 + 1);
		fill(&in[i].msg_hdr, straddling(7), 7);
	}
	show("sendmmsg", sendmmsg(ends[0], out, COUNT, 0));
	show("recvmmsg", recvmmsg(ends[1], in, COUNT, MSG_DONTWAIT, straddling(16)));
	for (int i = 0; i < COUNT; i++)
		total += (int)in[i].msg_len * 100 + ((char *)in[i].msg_hdr.msg_iov->iov_base)[0] +
			 (int)out[i].msg_len;
	printf("%d\n", total);
	show("the others", recvmmsg(ends[1], in, COUNT, MSG_DONTWAIT, NULL));
}

/* One header ends where the page does; its length, after it, is on the next one. */
static void before_a_page(int ends[2])
{
	struct mmsghdr *out = (struct mmsghdr *)(area + 1000 * PAGE - sizeof(struct msghdr)),
		       *in = (struct mmsghdr *)(area + 1010 * PAGE - sizeof(struct msghdr));

	fill(&out->msg_hdr, data + PAGE - 3, 5);
	fill(&in->msg_hdr, straddling(7), 7);
	show("sendmmsg", sendmmsg(ends[0], out, 1, 0));
	show("recvmmsg", recvmmsg(ends[1], in, 1, MSG_DONTWAIT, NULL));
	printf("%u, %u\n", out->msg_len, in->msg_len);
}

int main(void)
{
	int ends[2];

	must(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
	with_descriptor(ends);
	by_name();
	many(ends);
	before_a_page(ends);
	show("no header", sendmsg(ends[0], NULL, 0));
	mark();
}
