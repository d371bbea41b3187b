/**
 * Programming requests from daily work: edits, bugs, reviews, explanations. `
 * ` is a line break.
 */
export const codeEditing = String.raw`
Fix this function so that it does not throw on an empty list:\n\ndef average(values):\n    return sum(values) / len(values)
Why does this loop never end?\n\nwhile (i < 10) {\n  console.log(i)\n}
Refactor this into smaller functions and keep the behaviour:\n\nfunction handle(order) { if (order.paid) { ship(order); mail(order.customer) } else { remind(order.customer) } }
TypeError: Cannot read properties of undefined (reading 'map')\n    at List (List.tsx:14:22)\nWhat is wrong in my React component?
Add a --dry-run flag to this bash script:\n\n#!/bin/bash\nfor f in *.log; do rm "$f"; done
Convert this callback code to async/await:\n\nfs.readFile(path, (err, text) => { if (err) return done(err); parse(text, done) })
Write a unit test for a function that parses ISO dates and returns null when they are invalid
My pull request fails with "error TS2345: Argument of type 'string | undefined' is not assignable to parameter of type 'string'". How do I fix it properly?
Explain what this regular expression matches: ^(?:\d{1,3}\.){3}\d{1,3}$
Rewrite this SQL so that it uses a join instead of a subquery:\nSELECT name FROM users WHERE id IN (SELECT user_id FROM orders WHERE total > 100);
Add type annotations to this Python module and make mypy happy:\n\ndef load(path, default=None):\n    try:\n        return open(path).read()\n    except OSError:\n        return default
Review this diff and tell me what could break:\n- const limit = 100\n+ const limit = Number(process.env.LIMIT)
Rename the variable tmp to something that says what it holds and explain your choice:\nlet tmp = rows.filter(r => r.active).length
This Rust code does not compile: cannot borrow 'cache' as mutable because it is also borrowed as immutable. Show me how to restructure it.
Write a Dockerfile for a small Flask app with gunicorn, as a non-root user
Port this to Go:\n\nclass Stack:\n    def __init__(self): self.items = []\n    def push(self, x): self.items.append(x)\n    def pop(self): return self.items.pop()
How do I undo the last git commit but keep my changes?
Segmentation fault in this C program, where is the bug?\n\nchar *greet(void) { char s[16]; strcpy(s, "hello"); return s; }
Make this CSS grid collapse to one column under 600px:\n.cards { display: grid; grid-template-columns: repeat(3, 1fr); gap: 1rem }
Write a GitHub Actions workflow that runs npm test on every push and caches node_modules
Optimise this, it takes 40 seconds for a million rows:\nfor i in range(len(df)):\n    df.loc[i, 'c'] = df.loc[i, 'a'] + df.loc[i, 'b']
Implement debounce in TypeScript with a cancel method and proper types
The following test is flaky. Find the race:\n\nit('saves', () => { save(form); expect(db.rows).toHaveLength(1) })
Complete this function:\n\nfunc isPalindrome(s string) bool {
Write a migration that adds a nullable column last_seen to the table devices and backfills it from events
Replace the nested ifs by early returns:\nif user is not None:\n    if user.active:\n        if user.email:\n            send(user.email)
What does "java.lang.OutOfMemoryError: GC overhead limit exceeded" mean and how do I find the leak?
Turn this curl command into a requests call in Python:\ncurl -X POST -H "Authorization: Bearer $TOKEN" -d '{"a":1}' https://example.org/items
Write a React hook useLocalStorage with generics
Here is my Makefile. Why does it rebuild everything each time?\nall: app\napp: main.o\n\tgcc -o app main.o\n.PHONY: app
Write a Kubernetes deployment with a readiness probe on /healthz and two replicas
I get CORS errors only in production. Which headers must my Express server send?
Implement an LRU cache with O(1) get and put in Java
Document this function with JSDoc:\nexport function clamp(x, lo, hi) { return Math.min(hi, Math.max(lo, x)) }
Find the off-by-one error:\nfor (int i = 0; i <= n; i++) total += a[i];
Explain this stack trace and suggest a fix:\nFile "app.py", line 31, in get_user\n    return users[id]\nKeyError: '42'
Write a function that merges two sorted linked lists, in C++, without recursion
Add pagination to this endpoint:\napp.get('/items', async (req, res) => res.json(await Item.findAll()))
How can I mock the clock in vitest so that setTimeout fires at once?
Write an awk one-liner that prints the third column of lines whose first column is greater than 10
Migrate this class component to hooks:\nclass Clock extends React.Component { state = { now: Date.now() }; render() { return <p>{this.state.now}</p> } }
My SwiftUI list does not update when the array changes, what am I missing?\n@State var items: [Item] = []
Split this 300-line file into modules and tell me what goes where
Why is my useEffect called twice in development?
Set up eslint and prettier in a monorepo with pnpm workspaces
Write a PowerShell script that deletes files older than 30 days in a folder, with a log
Here is the interface:\ninterface Repo { find(id: string): Promise<User | null> }\nWrite an in-memory implementation for tests
Translate this pseudocode to Kotlin: for each word count its occurrences, print the ten most frequent
Make this query faster; there is an index on created_at only:\nSELECT * FROM logs WHERE level = 'error' ORDER BY created_at DESC LIMIT 50
Write a parser for simple arithmetic expressions with + - * / and parentheses in JavaScript
npm ERR! ERESOLVE unable to resolve dependency tree. What are my options?
Write a VBA macro that copies all rows with "open" in column C to another sheet
How do I stop a goroutine that blocks on a channel read?
Add error handling and retries with exponential backoff to this function:\nasync def fetch(url):\n    async with session.get(url) as r:\n        return await r.json()
Write a Terraform module for an S3 bucket with versioning and a lifecycle rule
Please simplify this boolean: !(a && !b) || (b && !a)
Generate TypeScript types for this JSON: {"id": 1, "tags": ["x"], "owner": {"name": "n", "age": null}}
Is this code thread safe?\npublic int next() { return counter++; }
Implement the missing method so that the tests pass:\nclass Queue { enqueue(x) {} dequeue() {} get size() {} }
Change the function below to be iterative rather than recursive:\ndef fact(n): return 1 if n < 2 else n * fact(n - 1)
Show me how to stream a large file upload with fetch and a progress bar
Write a decorator that logs how long a function takes
The build passes locally but fails in CI with "Module not found: ./Header". Filenames are header.tsx. Why?
`
