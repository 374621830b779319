package main

func sum(numbers []int) (total int) {
	for _, n := range numbers {
		total += n
	}
	return total
}
