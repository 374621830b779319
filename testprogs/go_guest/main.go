// go_guest: what the Go runtime does with threads, signals, memory and processes, one part a word.
package main

import (
	"fmt"
	"io"
	"io/ioutil" // Go 1.15 has these nowhere else
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// Thousands of goroutines, a channel and a mutex.
func goroutines() {
	var wait sync.WaitGroup
	var lock sync.Mutex
	results := make(chan int, 16)
	sum := 0
	for i := 0; i < 5000; i++ {
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			lock.Lock()
			sum += i
			lock.Unlock()
			if i%1000 == 0 {
				results <- i
			}
		}(i)
	}
	wait.Wait()
	close(results)
	var found []int
	for i := range results {
		found = append(found, i)
	}
	sort.Ints(found)
	fmt.Println(sum, found)
	sieve(60)
	threads()
}

// Each prime is a goroutine that passes on what it does not divide.
func sieve(count int) {
	numbers := make(chan int)
	done := make(chan bool)
	defer close(done)
	pass := func(from <-chan int, to chan<- int, prime int) {
		for {
			select {
			case n := <-from:
				if n%prime == 0 {
					continue
				}
				select {
				case to <- n:
				case <-done:
					return
				}
			case <-done:
				return
			}
		}
	}
	go func(to chan<- int) {
		for n := 2; ; n++ {
			select {
			case to <- n:
			case <-done:
				return
			}
		}
	}(numbers)
	prime := 0
	for i := 0; i < count; i++ {
		prime = <-numbers
		next := make(chan int)
		go pass(numbers, next, prime)
		numbers = next
	}
	fmt.Println("prime", count, "is", prime)
}

// Goroutines that keep a thread each, and meet.
func threads() {
	var wait sync.WaitGroup
	var arrived int32
	lock := sync.Mutex{}
	all := sync.NewCond(&lock)
	ids := map[int]bool{}
	for i := 0; i < 20; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			runtime.LockOSThread()
			atomic.AddInt32(&arrived, 1)
			lock.Lock()
			defer lock.Unlock()
			ids[syscall.Gettid()] = true
			for len(ids) < 20 {
				all.Wait()
			}
			all.Broadcast()
		}()
	}
	wait.Wait()
	fmt.Println(arrived, "arrived on", len(ids), "threads")
}

// Garbage, collected while other threads allocate.
func garbage() {
	var wait sync.WaitGroup
	totals := make([]int, 4)
	for t := range totals {
		wait.Add(1)
		go func(t int) {
			defer wait.Done()
			keep := map[int][]byte{}
			for i := 0; i < 2000; i++ {
				keep[i%100] = make([]byte, 1024+i)
				totals[t] += len(keep[i%100])
				if i%500 == 0 {
					runtime.GC()
				}
			}
		}(t)
	}
	wait.Wait()
	fmt.Println(totals)
	finalizers()
}

// Objects that are told when nobody needs them any more.
func finalizers() {
	type object struct {
		next  *object
		bytes [1000]byte
	}
	var finalized int32
	func() {
		for i := 0; i < 200; i++ {
			runtime.SetFinalizer(&object{}, func(*object) { atomic.AddInt32(&finalized, 1) })
		}
	}()
	for i := 0; i < 1000 && atomic.LoadInt32(&finalized) < 200; i++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	fmt.Println(atomic.LoadInt32(&finalized), "finalized")
	debug.FreeOSMemory()
	large := make([]byte, 64<<20)
	for i := 0; i < len(large); i += 4096 * 16 {
		large[i] = 1
	}
	runtime.KeepAlive(large)
}

// Itself by its own name, and programs that do not exist.
func processes() {
	self, err := os.Executable()
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := exec.Command(self, "say", "from the child").CombinedOutput()
	fmt.Printf("%s%v\n", out, err)
	_, err = exec.Command(self, "status").Output()
	fmt.Println(err)
	_, err = exec.Command("/nonexistent/program").Output()
	fmt.Println(err)
	fmt.Println(exec.Command("/bin/true").Run(), exec.Command("/bin/false").Run())
	fmt.Println(exec.Command("/bin/sh", "-c", "kill -TERM $$").Run())
	command := exec.Command("cat")
	command.Stdin = strings.NewReader("through a pipe\n")
	out, err = command.Output()
	fmt.Printf("%s%v\n", out, err)
	manyProcesses(self)
}

// Threads that all start processes.
func manyProcesses(self string) {
	var wait sync.WaitGroup
	answers := make([]string, 16)
	for i := range answers {
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			out, err := exec.Command(self, "say", fmt.Sprint(i)).Output()
			answers[i] = fmt.Sprint(strings.TrimSpace(string(out)), err)
		}(i)
	}
	wait.Wait()
	fmt.Println(answers)
}

func signals() {
	received := make(chan os.Signal, 4)
	signal.Notify(received, syscall.SIGUSR1, syscall.SIGHUP)
	for _, s := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGHUP, syscall.SIGUSR1} {
		syscall.Kill(os.Getpid(), s)
		fmt.Println(<-received)
	}
	signal.Ignore(syscall.SIGHUP)
	syscall.Kill(os.Getpid(), syscall.SIGHUP)
	fmt.Println("ignored:", signal.Ignored(syscall.SIGHUP))

	// One at a time, while other threads are at work.
	var stop int32
	for i := 0; i < 2; i++ {
		go func() {
			for atomic.LoadInt32(&stop) == 0 {
				_ = make([]byte, 10000)
				time.Sleep(50 * time.Microsecond)
			}
		}()
	}
	for i := 0; i < 200; i++ {
		syscall.Kill(os.Getpid(), syscall.SIGUSR1)
		<-received
	}
	atomic.StoreInt32(&stop, 1)
	fmt.Println("200 received")
	signal.Stop(received)
	signal.Reset(syscall.SIGTERM)
	syscall.Kill(os.Getpid(), syscall.SIGTERM)
	time.Sleep(10 * time.Second)
}

type node struct{ next *node }

// A nil pointer, a bad index, a stack that has to grow.
func faults() {
	for i := 0; i < 100; i++ {
		func() {
			defer func() {
				if r := recover(); i == 0 || r == nil {
					fmt.Println("recovered:", r)
				}
			}()
			var n *node
			n.next = n
		}()
	}
	var deep func(n int) int
	deep = func(n int) int {
		if n == 0 {
			return 0
		}
		return 1 + deep(n-1)
	}
	fmt.Println(deep(1000000))
	threadFaults()
	fmt.Println("read-only:", faultAt(syscall.PROT_READ))
	fmt.Println("no access:", faultAt(syscall.PROT_NONE))
}

// Stacks that grow and nil pointers, on several threads at once.
func threadFaults() {
	var wait sync.WaitGroup
	var recovered int32
	for i := 0; i < 8; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := 0; i < 200; i++ {
				func() {
					defer func() {
						if recover() != nil {
							atomic.AddInt32(&recovered, 1)
						}
					}()
					var n *node
					n.next = n
				}()
			}
		}()
	}
	wait.Wait()
	fmt.Println(recovered, "recovered")
}

// A store to a page of one's own that does not allow it; whether the address is told truly.
func faultAt(protection int) (message string) {
	page, err := syscall.Mmap(-1, 0, 8192, protection, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return err.Error()
	}
	defer syscall.Munmap(page)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		fault, ok := recover().(interface{ Addr() uintptr })
		message = fmt.Sprint(ok && fault.Addr() == uintptr(unsafe.Pointer(&page[5000])))
	}()
	page[5000] = 1
	return "no fault"
}

// Files, directories, pipes and mappings; buffers of every size on both sides of the call.
func files() {
	directory, err := ioutil.TempDir("", "go_guest")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(directory)
	for size := 1; size <= 1<<20; size *= 8 {
		name := filepath.Join(directory, fmt.Sprintf("%07d", size))
		bytes := make([]byte, size)
		for i := range bytes {
			bytes[i] = byte(i * 7)
		}
		ioutil.WriteFile(name, bytes, 0600)
		read, err := ioutil.ReadFile(name)
		fmt.Println(len(read), string(read) == string(bytes), err)
	}
	entries, _ := ioutil.ReadDir(directory)
	for _, entry := range entries {
		fmt.Print(entry.Name(), " ", entry.Size(), " ", entry.Mode(), "; ")
	}
	fmt.Println()

	name := filepath.Join(directory, "0262144")
	file, _ := os.OpenFile(name, os.O_RDWR, 0)
	defer file.Close()
	file.WriteAt([]byte("in the middle"), 100000)
	file.Truncate(200000)
	mapped, err := syscall.Mmap(int(file.Fd()), 0, 200000, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err == nil {
		copy(mapped[150000:], "through the mapping")
		middle := string(mapped[100000:100013])
		fmt.Println(middle, syscall.Munmap(mapped))
	}
	back := make([]byte, 19)
	file.ReadAt(back, 150000)
	offset, _ := file.Seek(-5, 2)
	fmt.Println(string(back), offset, os.Rename(name, name+"x"), os.Remove(name+"x"))
	_, err = os.Open(filepath.Join("nowhere", "at", "all"))
	fmt.Println(err)

	reader, writer, _ := os.Pipe()
	go func() {
		for i := 0; i < 1000; i++ {
			fmt.Fprintf(writer, "%0100d", i)
		}
		writer.Close()
	}()
	total := 0
	for buffer := make([]byte, 999); ; {
		n, err := reader.Read(buffer)
		total += n
		if err != nil {
			fmt.Println(total, err)
			return
		}
	}
}

func sockets() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go func() {
		connection, err := listener.Accept()
		if err == nil {
			fmt.Fprintf(connection, "hello over TCP\n")
			connection.Close()
		}
	}()
	connection, err := net.DialTimeout("tcp", listener.Addr().String(), 5*time.Second)
	if err != nil {
		fmt.Println(err)
		return
	}
	buffer := make([]byte, 64)
	n, _ := connection.Read(buffer)
	fmt.Print(string(buffer[:n]))
	echo()
}

// Many connections at once, through epoll.
func echo() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer listener.Close()
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				io.Copy(connection, connection)
				connection.Close()
			}()
		}
	}()
	var wait sync.WaitGroup
	var same int32
	for i := 0; i < 20; i++ {
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			connection, err := net.Dial("tcp", listener.Addr().String())
			if err != nil {
				return
			}
			defer connection.Close()
			sent := strings.Repeat(fmt.Sprint("number ", i, "\n"), 5000)
			go func() {
				io.WriteString(connection, sent)
				connection.(*net.TCPConn).CloseWrite()
			}()
			if back, _ := ioutil.ReadAll(connection); string(back) == sent {
				atomic.AddInt32(&same, 1)
			}
		}(i)
	}
	wait.Wait()
	fmt.Println(same, "echoes")
}

func timers() {
	ticker := time.NewTicker(time.Millisecond)
	for i := 0; i < 5; i++ {
		<-ticker.C
	}
	select {
	case <-time.After(2 * time.Millisecond):
		fmt.Println("time is over")
	}
	late := time.AfterFunc(time.Hour, func() { fmt.Println("not here") })
	fmt.Println("stopped:", late.Stop())
	var fired int32
	var wait sync.WaitGroup
	for i := 0; i < 500; i++ {
		wait.Add(1)
		time.AfterFunc(time.Duration(i%10)*time.Millisecond, func() {
			atomic.AddInt32(&fired, 1)
			wait.Done()
		})
	}
	wait.Wait()
	start := time.Now()
	time.Sleep(5 * time.Millisecond)
	fmt.Println(fired, "fired,", time.Since(start) >= 5*time.Millisecond)
}

// Exit status 2, and a trace of one goroutine, which is the same each time.
func panics() {
	defer fmt.Println("deferred")
	panic("the end")
}

// The same by a signal: the runtime prints its code, its address and where it was.
func crash() {
	var n *node
	n.next = n
}

func main() {
	parts := map[string]func(){
		"goroutines": goroutines, "garbage": garbage, "processes": processes,
		"signals": signals, "faults": faults, "sockets": sockets, "timers": timers,
		"files": files, "panic": panics, "crash": crash,
		"say":    func() { fmt.Println(strings.Join(os.Args[2:], " ")) },
		"status": func() { os.Exit(9) },
		"die":    func() { syscall.Kill(os.Getpid(), syscall.SIGKILL) },
	}
	part := parts[strings.Join(os.Args[1:], " ")]
	if len(os.Args) > 1 && os.Args[1] == "say" {
		part = parts["say"]
	}
	if part == nil {
		fmt.Fprintln(os.Stderr, "usage: go_guest PART")
		os.Exit(64) // as testprogs/word.h has it
	}
	part()
}
