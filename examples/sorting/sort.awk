# Counts comparisons and exchanges of three sorting algorithms, a line for each run.

function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
function less(a, b) { comparisons++; return a < b }
function exchange(i, j,  old) { exchanges++; old = x[i]; x[i] = x[j]; x[j] = old }

# The comparisons and exchanges are counted in place: calls of functions would take most of the time.
function insertion(n,  i, j, item) {
    for (i = 2; i <= n; i++) {
        item = x[i]
        for (j = i; j > 1 && ++comparisons && item < x[j - 1]; j--) { x[j] = x[j - 1]; exchanges++ }
        x[j] = item
    }
}

function quick(low, high,  i, last) {
    while (low < high) {
        last = low
        for (i = low + 1; i <= high; i++)
            if (less(x[i], x[low])) { last++; if (last != i) exchange(last, i) }
        if (last != low) exchange(low, last)
        # The smaller side first, so that the recursion is never deep.
        if (last - low < high - last) { quick(low, last - 1); low = last + 1 }
        else { quick(last + 1, high); high = last - 1 }
    }
}

function merge(low, high,  middle, i, j, k) {
    if (low >= high) return
    middle = int((low + high) / 2)
    merge(low, middle)
    merge(middle + 1, high)
    for (k = low; k <= high; k++) y[k] = x[k]
    i = low; j = middle + 1
    for (k = low; k <= high; k++)
        if (i > middle) x[k] = y[j++]
        else if (j > high) x[k] = y[i++]
        else if (less(y[j], y[i])) x[k] = y[j++]
        else x[k] = y[i++]
}

function run(algorithm, input, n, trial) {
    for (i = 1; i <= n; i++) x[i] = input == "random" ? random() : i
    comparisons = exchanges = 0
    if (algorithm == "insertion") insertion(n)
    else if (algorithm == "quick") quick(1, n)
    else merge(1, n)
    for (i = 2; i <= n; i++) if (x[i] < x[i - 1]) { print algorithm " does not sort" > "/dev/stderr"; exit 1 }
    print algorithm "," input "," n "," trial "," comparisons "," (algorithm == "merge" ? "" : exchanges)
}

BEGIN {
    seed = 1962
    count = split("insertion quick merge", algorithms, " ")
    print "algorithm,input,n,trial,comparisons,exchanges"
    for (n = 16; n <= 512; n *= 2)
        for (a = 1; a <= count; a++) {
            for (trial = 1; trial <= 40; trial++) run(algorithms[a], "random", n, trial)
            for (trial = 1; trial <= 2; trial++) run(algorithms[a], "sorted", n, trial)
        }
}
