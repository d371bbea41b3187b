/** Graded prompts about code, by kind. graded-prompts.ts describes the lines. */
export const codeWriting = {
  code_writing: String.raw`
1 code_writing o1 | write a python function that reverses a string
4 code_writing o1 | implement a persistent vector in haskell with O(log32 n) update and a transient mode
1 code_writing o2 | write hello world in rust
5 code_writing o2 | write a lock-free resizable hash map in rust without epoch crates and argue that it never frees a node a reader still holds
1 code_writing o3 | fizzbuzz in javascript please
4 code_writing o3 | regex engine in javascript that compiles to a DFA, supports unicode classes and never backtracks
1 code_writing o4 | function to check whether a number is even in C
5 code_writing o4 | Write a malloc replacement in C with per-thread arenas, lock-free frees from other threads, and bounded fragmentation.
1 code_writing o5 | Give me a Go function that sums a slice of ints.
4 code_writing o5 | Write a Go implementation of Raft leader election and log replication that survives partitions and restarts.
2 code_writing o6 | binary search in java that returns -1 when the key is missing
4 code_writing o6 | Implement deletion in a B+ tree in Java with sibling borrowing and merging, iteratively.
1 code_writing o7 | Python one liner to get the unique words of a text file
3 code_writing o7 | write a suffix automaton in python and use it to find the longest substring that occurs at least k times
2 code_writing o8 | debounce function in typescript
5 code_writing o8 | Write the type-level part of a TypeScript SQL parser so that the row type of a literal select with joins and aliases is inferred.
1 code_writing o9 | bash: list all .jpg files in the current folder and below
4 code_writing o9 | Write a POSIX sh script, no bashisms, that runs N jobs in parallel with a timeout for each, keeps their output in order and forwards signals.
2 code_writing o10 | implement a stack with push, pop and min in O(1)
4 code_writing o10 | Implement a wait-free single-producer multi-consumer ring buffer in C++20 with correct memory orders.
2 code_writing o11 | kotlin data class for a person with name, age and an optional email, plus a method that says if they're adult
4 code_writing o11 | A Kotlin coroutine scheduler that runs tasks with dependencies, limits concurrency per resource, cancels transitively and has no race.
1 code_writing o12 | css to center a div both ways
4 code_writing o12 | a pure css masonry layout with correct tab order, no javascript, that works in today's safari and firefox
2 code_writing o13 | Generate all permutations of a list in Scala.
5 code_writing o13 | Write a certified merge sort in Coq that is proved sorted, a permutation and stable.
2 code_writing o14 | python script that renames all files in a directory to lower case
4 code_writing o14 | python program that finds near duplicate images among two million files on a laptop in under an hour
2 code_writing | quicksort in haskell
1 code_writing | ruby method that returns the largest element of an array
1 code_writing | How do I write a for loop from 1 to 10 in Lua?
1 code_writing | javascript get current date as yyyy-mm-dd
2 code_writing | Write a C# extension method that truncates a string to n characters with an ellipsis
2 code_writing | a small express route that returns 404 as json for unknown ids
2 code_writing | i need a swift function that says if two strings are anagrams
2 code_writing | write a decorator in python that caches results for 60 seconds
2 code_writing | merge two sorted arrays in php without using sort()
2 code_writing | make a react component with a counter and a reset button
3 code_writing | Write an expression evaluator in Python for + - * / ^ with unary minus, parentheses and right-associative powers.
2 code_writing | Write a token bucket rate limiter in Go that's safe for concurrent use and takes the clock as an argument.
3 code_writing | Implement Dijkstra with a binary heap and decrease-key in C++, no priority_queue.
3 code_writing | Write a Rust iterator adapter that yields overlapping windows of size n over any iterator, without collecting it first.
2 code_writing | trie with wildcard search ('.' matches any letter) and deletion, in java
3 code_writing | write a csv parser in c that handles quotes, embedded newlines and crlf
3 code_writing | A TypeScript DeepReadonly type that also handles maps, sets, tuples and functions.
3 code_writing | Write a Python context manager that atomically replaces a file and leaves the old one untouched if anything fails.
3 code_writing | Give me an Elixir GenServer that batches writes and flushes every 500 ms or at 100 items, whichever comes first.
3 code_writing | python async crawler, max 5 requests at once per host, honours robots.txt and retries with backoff
2 code_writing | Solve n-queens with bitmasks in C and count the solutions for n = 14 quickly.
4 code_writing | Write a garbage collector for a toy Lisp in C: generational, moving, with precise roots.
4 code_writing | Implement Aho-Corasick in Zig with failure links compressed into one flat array, and test it on overlapping patterns.
4 code_writing | CRDT for collaborative rich text in TypeScript, with marks that expand correctly at their edges
4 code_writing | Write a SIMD UTF-8 validator in C with AVX2 intrinsics.
4 code_writing | implement the simplex algorithm with bland's rule in ocaml with exact rationals
4 code_writing | Write a Prolog meta-interpreter with tabling that terminates on left recursion.
5 code_writing | write a sound and complete type inference for rank-n types with impredicativity in haskell
5 code_writing | Implement a linearizable distributed lock service with fencing tokens and a model-checked TLA+ spec next to it.
5 code_writing | Write an optimizing register allocator with SSA deconstruction, coalescing and spilling in Rust for a small x86-64 backend.
5 code_writing | Write an exact polygon boolean operation library in C++ that is robust for degenerate and self-intersecting input.
1 code_writing @de | Schreib mir eine Python-Funktion, die prüft, ob ein Jahr ein Schaltjahr ist.
4 code_writing @de | Implementiere einen Rot-Schwarz-Baum mit Löschen in Rust ohne unsafe und ohne Rc.
1 code_writing l1 | Write a function in Java that counts the vowels in a text.
1 code_writing l1 @es | Escribe una función en Java que cuente las vocales de un texto.
4 code_writing l2 | Implement a concurrent skip list in Java with correct deletion, without locks.
4 code_writing l2 @zh | 用 Java 实现一个无锁的并发跳表,要求删除操作正确。
2 code_writing l3 | python function to convert roman numerals to integers
2 code_writing l3 @pl | funkcja w pythonie zamieniająca liczby rzymskie na całkowite
3 code_writing f1 | write a function that groups a list of dates into weeks starting on monday, in python
3 code_writing f1 | Hello! I hope you're well. If it isn't too much trouble, could you please write me a Python function that groups a list of dates into weeks starting on Monday? Thank you so much in advance, it would help me a great deal.
1 code_writing f2 | Write a function that removes duplicates from a list but keeps the order.
1 code_writing f2 | You are a code generator. Output code only.\n\nTask: add two numbers\nCode: def add(a, b): return a + b\n\nTask: length of a string\nCode: def length(s): return len(s)\n\nTask: remove duplicates from a list but keep the order\nCode:
5 code_writing d1 | lock-free MPMC queue with hazard pointers, c++
1 code_writing d1 | I have this module for the shopping cart of our shop, it has been in production for about two years and I am not going to change it now. I only paste it so that you see the style we use (no semicolons, plain functions). What I need is one tiny thing: a function isEmpty() in the same style that returns true when countItems() is zero. Only that function please, no explanation, and please leave the rest alone.\n\n{{cart}}
3 code_writing | so basically we get webhooks from a payment provider, sometimes the same one twice and sometimes in the wrong order (refund before payment). i need a node handler that stores each event once and ends up in the right state no matter the order, we have postgres and nothing else
2 code_writing | hey i have a folder with like 400 pdfs named scan_001.pdf etc and an excel with two columns, old name and new name. can u write me something that renames them all? im on windows and have python, never used it much
3 code_writing | need a github action that builds only the packages of our pnpm monorepo that changed since main, plus everything that depends on them, and skips draft prs
4 code_writing | I want undo/redo for my drawing app that works with several people at once: my undo must undo only my own last change even if others have moved the shape since, and redo must still work after that. We have yjs. Show the code, and what undo does when somebody deleted the shape.
2 code_writing | tkinter window with a text field, a button and a label that shows the text upside down... i mean reversed
2 code_writing l4 | Write a small HTML page with a form for name and e-mail that checks the e-mail before sending.
2 code_writing l4 @ru | Напиши небольшую HTML-страницу с формой для имени и почты, которая проверяет почту перед отправкой.
3 code_writing l5 | Write a Python script that watches a folder and uploads new files by SFTP, each exactly once, also after a restart.
3 code_writing l5 @fr | Écris un script Python qui surveille un dossier et envoie les nouveaux fichiers par SFTP, chacun une seule fois, même après un redémarrage.
3 code_writing m1 | Write an in-memory undo for a cart with addLine(sku, quantity) and removeLine(sku): undo() takes back the last call, redo() repeats it, and a new call empties the redo list.
3 code_writing m1 | {{cart}}\n\nAdd undo() and redo() to this module: undo takes back the last addLine or removeLine, redo repeats it, and a new call empties the redo list. Everything else stays as it is.
1 code_writing o15 | I'm just starting to learn programming and would like to see an example: can you write me a small Python function that takes two numbers, adds them up and gives back the result?
5 code_writing o15 | wait-free queue in C, bounded memory, with proof
1 code_writing o16 | hi, for my website i need a button that says "Contact us" and that opens my mail program when somebody clicks on it, just plain html, nothing fancy, i'll do the colours myself later
4 code_writing o16 | incremental GLR parser in OCaml
1 code_writing o17 | Could you please give me a line of JavaScript that shows a little window with the text "Saved" to the user, it doesn't have to be pretty because only the two of us in the office will ever see it?
4 code_writing o17 | Fibonacci heap in safe Rust with decrease_key
2 code_writing o18 | We've got a list of a few hundred products in a json file, each one with a name, a price and a category, and I'd like a little node script that prints the names of those that cost less than ten euros, sorted by price.
4 code_writing o18 | numerically stable incremental SVD in Julia
1 code_writing o19 | In our course on C we're doing arrays this week and the exercise wants us to print all elements of an array of five integers one below the other with a loop, how would that look?
5 code_writing o19 | verified TCP state machine in F*, no admits
2 code_writing o20 | For the school's sports day I need a python program that reads the names of the runners and their times from a text file (one a line, with a comma between) and prints the first three with their places.
4 code_writing o20 | order-maintenance structure in Scala, O(1) amortised
3 code_writing | radix sort for floats in java
3 code_writing | Sieve of Atkin, segmented, Go
3 code_writing | vim macro: swap two function arguments
2 code_writing | ok so i run a small bakery website, it's one html page, and every monday i have to change the opening hours by hand because we close earlier in winter (october to march 17:00, otherwise 18:30, sundays always closed). i'd like a bit of javascript that writes the right closing time of today into the element with the id "hours", and "closed" on sundays. i know how to put a script tag into the page but that's about all i know
`,
  sql_and_data: String.raw`
1 code_writing o1 | sql query to count rows in table users
4 code_writing o1 | write a sql query that finds the longest streak of consecutive login days per user, where days are counted in each user's own time zone
1 code_writing o2 | write a SQL query that returns all customers from Berlin
4 code_writing o2 | Write one SQL statement that closes overlapping validity intervals per contract and price group and keeps the highest priority one on each day.
2 code_writing o3 | write a sql query that returns the top 5 products by revenue
5 code_writing o3 | Write a single Postgres query that decides whether a table of directed edges contains a Hamiltonian path and that stays usable for 25 nodes.
1 code_writing o4 | pandas: average of column price by category
4 code_writing o4 | pandas as-of join of trades to quotes per symbol with a tolerance that depends on the row, without a python loop, 200 million rows
2 code_writing | select the second highest salary from employees
2 code_writing | SQL to find duplicate emails in a table and how often each one occurs
2 code_writing | write a query that joins orders with customers and shows customers without any order too
2 code_writing | excel formula to look up the price of an article number from the sheet Prices
3 code_writing | query for the median order value per month in mysql 8
2 code_writing | SQL: for each employee the manager chain up to the ceo as one string
3 code_writing | write a query that gives each customer's running total and the first date on which it went over 1000
3 code_writing | Monthly retention cohort table in BigQuery SQL from a table events(user_id, ts).
3 code_writing | Excel formula that returns the last non-empty value of a column that also has errors in it, without array entry
4 code_writing | My query plan shows a nested loop with 4 million iterations although both sides have an index; statistics are fresh and the join is on (tenant_id, upper(code)). What would you change, and how does the planner decide?
4 code_editing | we have 3 TB of events partitioned by month in postgres and need to change the partition key to tenant without downtime, plan and statements please
2 code_editing | what's wrong here? SELECT name, COUNT(*) FROM visits WHERE COUNT(*) > 3 GROUP BY name
3 code_editing | This returns too few rows, why?\n\nSELECT c.name, SUM(o.total)\nFROM customers c LEFT JOIN orders o ON o.customer_id = c.id\nWHERE o.status <> 'cancelled'\nGROUP BY c.name
1 computer_science | what does a primary key do?
1 computer_science | difference between inner join and left join, short please
3 computer_science | When does READ COMMITTED allow a lost update that REPEATABLE READ prevents? Give a concrete schedule.
4 computer_science | Show a write skew that snapshot isolation permits with three transactions but with no two of them, and say which edge SSI would abort.
2 code_writing l1 | Write an SQL query that shows the number of orders per month.
2 code_writing l1 @fr | Écris une requête SQL qui donne le nombre de commandes par mois.
4 code_writing l2 | Write an SQL query that splits shifts across midnight and daylight saving changes and sums paid hours by surcharge class.
4 code_writing l2 @de | Schreib eine SQL-Abfrage, die Schichten an Mitternacht und an der Zeitumstellung teilt und die bezahlten Stunden je Zuschlagsklasse summiert.
4 code_writing d1 | relational division with duplicates, one query
1 code_writing d1 | {{table}}\n\nThis is our customer export. It will be loaded into a table called customers with the same column names. Just write the SQL that selects all columns of the customers in Germany.\n\nSome background that you probably don't need: the file is written every night by the old system, the people from sales correct it by hand when a customer calls, and from time to time somebody forgets a semicolon, which is why we want to move it to a proper database before the summer. The old system was written by a trainee in 2009 and nobody dares to touch it. When the move is done the nightly export will be switched off, the sales people will get a small form in the browser, and the semicolon will have lost its terror. There are some twenty rows here but the real file has about four thousand, and there are two further files for orders and complaints, which I will send another day because they contain personal data and have to be cleaned first. Nothing else is needed from you today.
1 code_writing m1 | Write a pandas line that sums revenue by country for a frame df with the columns country and revenue.
1 code_writing m1 | Here is the data of a frame df (already loaded, separator is the semicolon):\n\n{{table}}\n\nWrite a pandas line that sums revenue by country.
3 code_writing m2 | Table t(id, name, country, since, orders, revenue). Query: for each country the customer with the highest revenue per order, ties to the older customer, only countries with at least two customers.
3 code_writing m2 | I loaded the file below into a table t, same column names. Query: for each country the customer with the highest revenue per order, ties to the older customer, only countries with at least two customers.\n\n{{table}}\n\nBy the way revenue has a point as its decimal separator and since is a year, in case it matters.
2 code_writing | how do i find customers who ordered in january but not in february, table orders(customer_id, ordered_at)
3 code_editing | Our report says 1,204 active users, the dashboard 1,187. Report: SELECT COUNT(DISTINCT user_id) FROM sessions WHERE started_at >= '2031-03-01' AND started_at <= '2031-03-31'. Dashboard: same for March, time zone Berlin, data in UTC. Which is right, and write the query that both should use
2 code_writing l3 | In pandas, how do I fill missing values of a column with the median of its group?
2 code_writing l3 @ja | pandasで、列の欠損値をグループごとの中央値で埋めるにはどうすればよいですか?
3 code_writing f1 | Write the SQL for the share of orders each month that were a customer's first.
3 code_writing f1 | -- schema: customers(id, name), orders(id, customer_id, total, ordered_at)\n-- question: how many orders are there?\nSELECT COUNT(*) FROM orders;\n-- question: who spent most?\nSELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY SUM(o.total) DESC LIMIT 1;\n-- question: share of orders each month that were a customer's first\n
1 code_writing o5 | Our shop has a table named products with the columns id, name and price, nothing else, and I just want to see all of the products that cost more than 100, can you write the sql for that please?
4 code_writing o5 | bitemporal upsert in one postgres statement
1 code_writing o6 | I've a spreadsheet with the working hours of all twelve months in the cells B2 to B13 and would like the total to appear in B14, what do I have to type there?
4 code_writing o6 | Skyline operator in plain SQL, n log n
2 code_writing o7 | For the newsletter I need the e-mail addresses of all customers who've agreed to it (the column is called newsletter and is true or false) and who live in Spain or Portugal, each address only once.
4 code_writing o7 | transitive closure with cycle paths, SQLite, incremental
3 code_writing | gaps and islands, sqlite, daily rows
2 code_writing | Since last year we've kept a table of all the books that people borrow from our little village library: loans with the columns id, book_title, member, borrowed_on and returned_on, which is empty as long as the book hasn't come back. Once a month my wife goes round and reminds people. For that she needs a list of everything that was borrowed more than thirty days ago and isn't back yet, with the oldest on top. We use sqlite. Could you write the query for us, and tell me where to put the number of days?
`,
}

export const codeWork = {
  code_fixing: String.raw`
1 code_editing | this gives SyntaxError, why?\n\nprint("hello'
1 code_editing | I get "NameError: name 'x' is not defined". my whole program is: print(x)
1 code_editing | fix indentation:\nfor i in range(3):\nprint(i)
2 code_editing | why does this always print [1] [1, 2] [1, 2, 3]?\n\ndef add(item, items=[]):\n    items.append(item)\n    return items\n\nfor i in (1, 2, 3): print(add(i))
2 code_editing | Uncaught TypeError: Cannot read properties of null (reading 'addEventListener')\n\n<script src="app.js"></script> is in my head tag. app.js: document.getElementById('go').addEventListener('click', go)
2 code_editing | my useEffect runs in an endless loop\n\nuseEffect(() => { setOptions(load(filter)) }, [filter, options])
2 code_editing | git says "Your branch and 'origin/main' have diverged, and have 2 and 5 different commits each". what now, I want to keep my 2 commits
3 code_editing | This sometimes returns an order twice. Why, and how do I fix it without locking the whole table?\n\nBEGIN;\nSELECT id FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1;\nUPDATE jobs SET state = 'busy' WHERE id = $1;\nCOMMIT;
3 code_editing | Prices are off by a cent now and then:\n\nfunction vat(gross) { return Math.round((gross - gross / 1.19) * 100) / 100 }\n\nfix it for all amounts up to a million
3 code_editing | Goroutines leak here when the caller stops reading. Show a fix that keeps the signature.\n\nfunc Lines(r io.Reader) <-chan string {\n  ch := make(chan string)\n  go func() {\n    defer close(ch)\n    s := bufio.NewScanner(r)\n    for s.Scan() { ch <- s.Text() }\n  }()\n  return ch\n}
3 code_editing | error[E0502]: cannot borrow 'self.items' as mutable because it is also borrowed as immutable\n\nfor item in self.items.iter() { if item.expired(now) { self.remove(item.id); } }\n\nremove() also updates an index by id. what's the clean way
3 code_editing | Test passes alone, fails in the suite, only on Mondays.\n\ndef test_next_workday():\n    assert next_workday(date.today()) > date.today()\n\ndef next_workday(day):\n    day += timedelta(days=1)\n    while day.weekday() > 5: day += timedelta(days=1)\n    return day
4 code_editing | Find the memory ordering bug in this double-checked initialisation and explain on which hardware it can be seen:\n\nstd::atomic<T*> p{nullptr};\nT* get() {\n  T* t = p.load(std::memory_order_relaxed);\n  if (!t) {\n    std::lock_guard<std::mutex> g(m);\n    t = p.load(std::memory_order_relaxed);\n    if (!t) { t = new T(); p.store(t, std::memory_order_release); }\n  }\n  return t;\n}
4 code_editing | our node service's rss grows 40 MB a day while the heap stays flat at 180 MB. native modules: sharp, better-sqlite3. malloc is glibc. Where do I look, in which order, and what would each finding prove?
4 code_editing | This merge of two position trees loses a concurrent move about once in 10,000 random runs. Move is delete+insert with the same id, last writer wins by (lamport, site). Explain which interleaving and repair it without tombstones growing for ever.
4 code_editing | Kernel panic only under memory pressure: our driver calls a function that may sleep from a timer callback, but only on the error path. Rework the error path so that the device is reset at most once and no request is completed twice.\n\nstatic void dev_timeout(struct timer_list *t) {\n  struct dev *d = from_timer(d, t, timer);\n  if (d->inflight) { dev_reset(d); dev_complete_all(d, -EIO); }\n  mod_timer(&d->timer, jiffies + HZ);\n}
5 code_editing | A single bit differs between the results of our simulation on two machines with the same binary, input and CPU model, after about nine hours. There is one thread, no uninitialised memory by valgrind, and the same libc. How do I find it?
5 code_editing | In our consensus implementation two leaders once committed different entries at the same index in the same term. Elections use leases of 2 s, clocks drift by up to 200 ppm, expiry is checked before the append and not after it, and a snapshot can be installed in between. Find every hole in the safety argument, say which of them explains the trace, and repair it without a further round trip.
1 code_editing c1 | missing semicolon? int x = 5 cout << x;
4 code_editing c1 | this template recursion compiles in gcc and not in clang, who is right according to the standard?\n\ntemplate<class T> struct A { template<class U> struct B; };\ntemplate<class T> template<class U> struct A<T>::B<U*> {};\ntemplate<> template<class U> struct A<int>::B<U*> { using t = int; };
1 code_editing c2 | rename variable x to total:\nx = 0\nfor v in values: x += v
4 code_editing c2 | Make this incremental without changing results: full recomputation of PageRank after each of 10,000 edge changes per second, on a graph with 80 million edges.
1 code_editing m1 | In the function total_cents(country) of my cart the discount applies above 10000 cents. Change it to apply from 5000 on, show only that line. The line is: if (sum > 10000) sum = Math.round(sum * 0.95)
1 code_editing m1 | {{cart}}\n\nchange the discount in totalCents so that it applies from 5000 cents on, show only that line
1 code_editing m2 | change the reorder limit from 25 to 40: REORDER_BELOW = 25
1 code_editing m2 | {{stock}}\n\nchange the reorder limit to 40 in this script, show only the line that changes
1 code_editing l1 | Why do I get "list index out of range" here? items = [1, 2, 3]; print(items[3])
1 code_editing l1 @pt | Por que aparece "list index out of range" aqui? items = [1, 2, 3]; print(items[3])
3 code_editing l2 | The page is blank after the build, with "Failed to load module script: expected a JavaScript module but the server responded with a MIME type of text/html". It works with the dev server. What is wrong?
3 code_editing l2 @ja | ビルド後にページが真っ白になり、「Failed to load module script: expected a JavaScript module but the server responded with a MIME type of text/html」と出ます。開発サーバーでは動きます。原因は何ですか?
4 code_editing d1 | why is my seqlock wrong on arm?
1 code_editing d1 | the script below works fine, i'm just asking for one cosmetic change. all the way down in the report function the warehouse name is printed in capitals with .upper(). the people in the harbour say that it looks as if the computer were shouting at them, so please tell me what to write instead so that only the first letter is a capital. one line is enough. i paste everything because last time somebody complained that i had not given enough context, but honestly you can skip it.\n\n{{stock}}\n\nin case you wonder what it is used for: it runs every night at two, its output is mailed to the three warehouses, and they print it and pin it to the wall next to the coffee machine. there were plans to replace it by a web page but the harbour has no wifi.
3 code_editing f1 | Rewrite this loop so that it does not block the event loop for seconds: for (const row of rows) hash.update(JSON.stringify(row)) // rows has 5 million entries
3 code_editing f1 | Answer with code only, no prose, in one block.\n\nInput: for (const f of files) fs.readFileSync(f)\nOutput: for (const f of files) await fs.promises.readFile(f)\n\nInput: for (const row of rows) hash.update(JSON.stringify(row)) // rows has 5 million entries, must not block the event loop for seconds\nOutput:
4 code_editing | {{cart}}\n\n{{stock}}\n\nThe first file runs in the shop, the second every night in the warehouse. Once or twice a month the warehouse shows one piece less of an article than the shop has sold, never more, and always an article that was removed from a cart and added again around midnight. Between the two there is a queue that delivers at least once, and the day in the movements is taken from the clock of the browser. List every way in which these two files and that queue can produce the error, rank them by how well they fit "never more" and "around midnight", and change the code so that none remains.
4 code_editing | {{log}}\n\n{{incident}}\n\n{{stock}}\n\nOur nightly sync writes stock levels. Since the incident the levels of one warehouse are off by exactly the movements of the hour between 02:00 and 03:00, on two days only, and the log of one of these nights is above. Work out what must have happened from the retries, the slow query, the change of the clocks and the script; which rows are counted twice and which not at all? Write a repair that can be run again without harm, and the test that would have caught it.
3 code_editing m3 | Find the bug: lines is a Map of sku to quantity. function removeSome(sku, quantity) { lines.set(sku, lines.get(sku) - quantity); if (lines.get(sku) < 0) lines.delete(sku) }
3 code_editing m3 | We added this to our cart module, and now countItems() is sometimes wrong and totalCents() even NaN. Find all bugs of the new function.\n\nfunction removeSome(sku, quantity) { lines.set(sku, lines.get(sku) - quantity); if (lines.get(sku) < 0) lines.delete(sku) }\n\nThe rest of the module:\n\n{{cart}}
2 code_editing | hi, my discord bot answers every message twice. i think i registered the event two times but i only see it once?? client.on('messageCreate', onMessage) is in a function start() and i call start() in client.on('ready')
2 code_editing l3 | My loop prints 3 three times instead of 0, 1, 2: for (var i = 0; i < 3; i++) setTimeout(() => console.log(i)). Why?
2 code_editing l3 @de | Meine Schleife gibt dreimal 3 aus statt 0, 1, 2: for (var i = 0; i < 3; i++) setTimeout(() => console.log(i)). Warum?
4 code_editing f2 | Why does this deadlock about once a day? thread A: lock(accounts), lock(audit). thread B: lock(audit), tryLock(accounts, 50 ms), on failure unlock(audit) and retry. Both hold a database connection from a pool of 2.
4 code_editing f2 | sorry to bother you again!! last question for today i promise :) why does this deadlock about once a day? thread A: lock(accounts), lock(audit). thread B: lock(audit), tryLock(accounts, 50 ms), on failure unlock(audit) and retry. Both hold a database connection from a pool of 2. please keep it short, two sentences max, my boss is reading over my shoulder
1 code_editing c3 | I'm following a tutorial and have typed in everything exactly as it's written there, but my editor underlines the last line in red and says that a closing parenthesis is missing: print("The result is", str(result)
4 code_editing c3 | ABA bug in my Treiber stack, why only on ARM?
1 code_editing c4 | This is my first website, and the picture doesn't show up, there's only a small broken icon. The file is called cat.png and lies in the same folder as the page. In the page I wrote <img scr="cat.png">. What did I do wrong?
4 code_editing c4 | futex wakeup lost, glibc 2.31, condvar
2 code_editing c5 | When I start our app on my new laptop I get "Error: listen EADDRINUSE: address already in use :::3000" and the colleague who normally helps me with such things is on holiday until the end of the month. What does it mean and what can I do?
5 code_editing c5 | Why does LLVM miscompile my restrict pointers?
3 code_editing | rebase went wrong, lost a commit, help
3 code_editing | eslint ok locally, fails in CI
1 code_editing | I'm working through the second chapter of my book on python. It says that I should ask the user for a number and then print the double of it. I typed n = input("Number? ") and then print(n * 2), and when I enter 4 it prints 44 rather than 8, which looks funny but surely isn't meant. The book has no solutions at the end and my friend who knows about these things isn't answering. What must I change so that it prints 8?
`,
  code_explaining: String.raw`
1 computer_science | what is a variable
1 computer_science | what does html stand for
1 code_editing | what does npm install do?
1 code_tracing | What does this print?\n\nx = 3\ny = x + 2\nprint(y)
1 code_tracing | output of console.log("a" + "b")
1 code_tracing | what does this return for n = 5?\n\ndef f(n):\n    return 1 if n < 2 else n * f(n - 1)
1 code_tracing | a = [1, 2, 3]\nb = a\nb.append(4)\nprint(a)\n\nWhat is printed and why?
2 computer_science | explain recursion to a ten year old
1 computer_science | what's the difference between a process and a thread
2 computer_science | Explain big O notation with two everyday examples.
2 code_editing | What does this do? find . -name '*.log' -mtime +30 -exec gzip {} +
2 code_editing | explain: const { a, ...rest } = props
3 code_tracing | What is logged, in which order?\n\nconsole.log(1)\nsetTimeout(() => console.log(2))\nPromise.resolve().then(() => { console.log(3); queueMicrotask(() => console.log(4)) })\n;(async () => { console.log(5); await null; console.log(6) })()\nconsole.log(7)
3 code_tracing | Given s = "abcabc", what does this return? ''.join(sorted(s, key=lambda c: (s.count(c), -ord(c))))[::-1][1:4]
3 code_tracing | what is the value of x at the end\n\nx = 0\nfor i in range(1, 20):\n    if i % 3 == 0: continue\n    if i % 7 == 0: break\n    x += i * (-1) ** i
3 code_tracing | def f(s):\n    out = []\n    for i, c in enumerate(s):\n        out.insert(i // 2, c)\n    return ''.join(out)\n\nf("modelport") == ?
4 code_tracing | Run this by hand and give the final list.\n\ndef g(a):\n    n = len(a)\n    for i in range(n):\n        j = (i * i + a[i]) % n\n        a[i], a[j] = a[j] + i, a[i] - j\n    return a\n\ng([7, 1, 8, 2, 8, 1, 8, 2, 8])
5 code_tracing | h = 5381\nfor c in "graded prompts": h = (h * 33 ^ ord(c)) % 2**32\nprint(h)\n\nexact output? no tools
4 code_tracing | How many times is the innermost line executed for n = 100?\n\nfor i in range(1, n + 1):\n    for j in range(i, n + 1, i):\n        for k in range(j, n + 1, j):\n            hits += 1
4 computer_science | Why does the naive Paxos acceptor need stable storage for its promise but a learner needs none? Give an execution that goes wrong for each weaker variant.
4 computer_science | Explain why weak head normal form plus seq breaks parametricity, with a free theorem that fails.
4 computer_science | can you explain how the borrow checker's two-phase borrows interact with autoref and where polonius would accept more? examples that compile or fail today
2 computer_science | Explain the difference between optimistic and pessimistic concurrency control and when each loses.
2 computer_science | Why is quicksort usually faster than heapsort although its worst case is worse?
3 computer_science | what exactly happens in the tls 1.3 handshake, and which parts can an observer still see
4 computer_science | Does P ≠ NP follow from the existence of one-way functions, and the other way round? Discuss with relativised worlds and say which implications are known to fail to relativise.
5 computer_science d1 | Sketch Babai's quasipolynomial graph isomorphism proof.
1 computer_science d1 | {{incident}}\n\n{{log}}\n\nI am preparing an introduction for our new trainees and want to begin with the simplest question of all. Never mind the report and the log above, they are only there to scare them a little. What does the abbreviation CPU stand for?\n\nPlease answer in one short sentence that I can put on a slide.
4 computer_science d2 | when is linearizability composable, precisely?
1 code_tracing d2 | {{stock}}\n\nRead the script above. What is the value of the constant REORDER_BELOW? I have read all of it twice and my colleague insists that it is set somewhere else, in the environment perhaps, or in a file of settings, as it was in the previous version, in which there were three limits, one for each warehouse, and a further one for the goods that have to be cooled. I think that it is simply written near the top. Answer with the number only.
5 computer_science c1 | Give the tightest known lower bound for dynamic connectivity in the cell-probe model and sketch its proof by chronograms.
1 computer_science c1 | Is a graph with no cycles called a tree or a loop?
1 computer_science l1 | What is the difference between a compiler and an interpreter?
1 computer_science l1 @pl | Jaka jest różnica między kompilatorem a interpreterem?
3 computer_science l2 | Why can two different floating point sums of the same numbers give different results, and what does Kahan's method do about it?
3 computer_science l2 @da | Hvorfor kan to summer af de samme kommatal give forskellige resultater, og hvad gør Kahans metode ved det?
4 computer_science l3 | Explain why the halting problem is undecidable but the busy beaver function is not even semi-computable, with proofs.
4 computer_science l3 @ru | Объясни, почему проблема остановки неразрешима, а функция занятого бобра даже не полувычислима. С доказательствами.
2 code_editing m1 | What does this function do? function countItems() { let count = 0; for (const quantity of lines.values()) count += quantity; return count }
2 code_editing m1 | {{cart}}\n\nwhat does the function countItems in this file do?
1 computer_science f1 | What is a hash table?
1 computer_science f1 | Q: What is a queue?\nA: A list from which the element that was added first is taken first.\n\nQ: What is a pointer?\nA: A value that is the address of another value.\n\nQ: What is a hash table?\nA:
3 computer_science | i'm a backend dev and never understood why my frontend colleagues need a virtual dom at all. what problem did it solve in 2013, does it still, and why do some newer frameworks do without one
4 code_tracing | {{stock}}\n\nA file has these movements, all for the warehouse north and the sku "A-1": +30 on 2031-03-01, -4 on 2031-03-02, -3 on 2031-03-31, +2 on 2031-04-01, and one row for the warehouse "North" (capital letter): -9 on 2031-03-15. The script runs on 2031-04-01 at 00:30 local time, on a machine whose clock is set to UTC, two hours behind local time. What does it print, line by line, what would to_reorder return for the same levels, and which of the two would change if the script ran three hours later?
4 computer_science | {{cart}}\n\nAssume that this module is loaded by two tabs of one browser and, by mistake, twice in one tab (once by its bare name, once with a query string). State for each exported function which invariants between lines, the saved JSON and the total can be broken by which interleaving of the two tabs, if the JSON is kept in localStorage on each change. Then give the smallest change of the module, not of its callers, after which all of them hold.
1 computer_science f2 | What does DNS do?
1 computer_science f2 | Explain like I'm five, in at most two sentences: what does DNS do?
1 computer_science c2 | At work everybody keeps talking about "the cloud" and I nod, but honestly I've never been sure what they mean by it. Can you tell me in a sentence or two what it is, as you'd tell your grandparents?
4 computer_science c2 | Does BQP contain NP? Best evidence both ways.
2 computer_science c3 | I understand what a list is and I understand what a dictionary is, but in the exercises of our python course I never know which one of them to choose. Is there a simple rule, maybe with an example or two from daily life?
4 computer_science c3 | Why is full abstraction for PCF hard?
1 code_tracing c4 | My daughter is learning to program with a turtle that draws lines. She wrote: repeat 4 times: go forward 10, turn right by 90 degrees. She says that it'll draw a square and her friend says a triangle. Which of them is right?
4 code_tracing c4 | [] == ![] + {} < [2] > '1', step by step?
3 computer_science | Why does mmap beat read, sometimes?
2 computer_science | monads without category theory?
3 code_tracing | print(0.1 + 0.2 == 0.3, round(2.5), -7 // 2)
1 computer_science | When I switch on my computer in the morning the screen asks for a password, and on some days I type it wrong, and then it asks again, which is fine. But this week our administrator has told all of us that from now on there'll also be a code on the telephone, and she called it "two-factor". I've got nothing against it, but nobody has explained what the two factors are. Can you tell me in a sentence?
`,
}
