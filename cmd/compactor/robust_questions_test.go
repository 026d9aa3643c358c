package main

import "strings"

// questionRows are questions as people type them, in any language, and what is no question.
var questionRows = []robustRow{
	{name: "German", tree: tree("shop"), ask: "Wie wird eine fehlgeschlagene Aufgabe wiederholt?", first: []string{"internal/queue/retry.go:4"}},
	{name: "German, where", tree: tree("shop"), ask: "Wo werden die ältesten Einträge des Zwischenspeichers gelöscht?", first: []string{"internal/cache/cache.go:4"}},
	{name: "French", tree: tree("shop"), ask: "Où est chargé le fichier de configuration du serveur ?", first: []string{"internal/config/config.go:4"}},
	{name: "French, elision", tree: tree("shop"), ask: "Comment vérifie-t-on le mot de passe d'un utilisateur ?", first: []string{"internal/auth/password.go:4"}},
	{name: "Spanish", tree: tree("shop"), ask: "¿Dónde se comprueba la contraseña del usuario?", first: []string{"internal/auth/password.go:4"}},
	{name: "Spanish without accents", tree: tree("shop"), ask: "donde se abre la conexion a la base de datos", first: []string{"internal/db/connection.go:4"}},
	{name: "Portuguese", tree: tree("shop"), ask: "Onde é aberta a conexão com o banco de dados?", first: []string{"internal/db/connection.go:4"}},
	{name: "Russian", tree: tree("shop"), ask: "Где проверяется пароль пользователя?", first: []string{"internal/auth/password.go:4"}},
	{name: "Russian, another case", tree: tree("shop"), ask: "Как задачи добавляются в очередь?", first: []string{"internal/queue/queue.go:7"}},
	{name: "Chinese", tree: tree("shop"), ask: "用户的密码在哪里检查？", first: []string{"internal/auth/password.go:4"}},
	{name: "Japanese", tree: tree("shop"), ask: "設定ファイルはどこで読み込まれますか？", first: []string{"internal/config/config.go:4"}},
	{name: "a name", tree: tree("shop"), ask: "LoadConfig", first: []string{"internal/config/config.go:4"}},
	{name: "a name, in other letters and underscores", tree: tree("shop"), ask: "load_config", first: []string{"internal/config/config.go:4"}},
	{name: "a plain word that is a name", tree: tree("shop"), ask: "evict", first: []string{"internal/cache/cache.go:4"}},
	{name: "two words that are one name", tree: files(put("hash.c", "/* setex of a hash: a command. */\nvoid hash(void) { setex(); command(); }\n"),
		put("string.c", "void setexCommand(client *c) { go(c); }\n")), ask: "where is the SETEX command implemented?", first: []string{"string.c:1"}},
	{name: "two words that are one file name", tree: files(put("settings.py", "def settings(x):\n    feed(x)\n\n\ndef other(x):\n    export(x)\n"),
		put("feedexport.py", "class Storage:\n    def put(self, feed):\n        pass\n")), ask: "how does the feed export work?", has: []string{"feedexport.py:2"}},
	{name: "a plain word", tree: tree("shop"), ask: "database", first: []string{"internal/db/connection.go:4"}},
	{name: "a word that is nowhere", tree: tree("shop"), ask: "kubernetes", notFound: true},
	{name: "a name that is nowhere, and its neighbour", tree: tree("shop"), ask: "where is LoadConfg?", notFound: true, says: []string{"LoadConfig"}},
	{name: "nothing asked", tree: tree("shop"), ask: "", fails: "question"},
	{name: "white space", tree: tree("shop"), ask: " \n\t ", notFound: true, says: []string{"no word to search for"}},
	{name: "only stop words", tree: tree("shop"), ask: "where is it and what does that do?", notFound: true, says: []string{"no word to search for"}},
	{name: "only marks", tree: tree("shop"), ask: "??? --- !!! {}", notFound: true, says: []string{"no word to search for"}},
	{name: "no text at all", tree: tree("shop"), ask: "\x00\xff\xfe\x01", notFound: true},
	{name: "a path", tree: tree("shop"), ask: "internal/cache/cache.go", first: []string{"internal/cache/cache.go:4"}, never: []string{"internal/auth"}},
	{name: "a file name", tree: tree("shop"), ask: "what does Mailer.php do?", first: []string{"legacy/lib/Mailer.php:4"}},
	{name: "path and line", tree: tree("shop"), ask: "internal/queue/queue.go:9", first: []string{"internal/queue/queue.go:9"}},
	{name: "path and line of another machine", tree: tree("shop"), ask: `what fails at C:\build\shop\internal\queue\queue.go:9?`, first: []string{"internal/queue/queue.go:9"}},
	{name: "a line past the end", tree: tree("shop"), ask: "internal/cache/cache.go:900", first: []string{"internal/cache/cache.go:4"}},
	{name: "a link to a forge", tree: tree("shop"), ask: "explain https://github.com/acme/shop/blob/main/internal/queue/queue.go#L9", first: []string{"internal/queue/queue.go:9"}},
	{name: "100 KB of question", tree: tree("shop"), ask: "where is LoadConfig? " + strings.Repeat("lorem ipsum dolor sit amet ", 4000), first: []string{"internal/config/config.go:4"}},
}

// pastedRows are what people paste instead of asking.
var pastedRows = []robustRow{
	{name: "Go panic", tree: tree("shop"), has: []string{"internal/queue/queue.go:9", "cmd/server/main.go:5"}, ask: `panic: push of a nil task

goroutine 1 [running]:
runtime/debug.Stack()
	/usr/local/go/src/runtime/debug/stack.go:24 +0x5e
example.com/shop/internal/queue.(*Queue).Push(0xc000012345, {0x0, 0x0})
	/home/ci/build/shop/internal/queue/queue.go:9 +0x85
main.main()
	/home/ci/build/shop/cmd/server/main.go:5 +0x1d
exit status 2`},
	{name: "Python traceback", tree: tree("shop"), first: []string{"shop/models/price.py:7", "shop/views/cart.py:5"}, ask: `Traceback (most recent call last):
  File "/usr/lib/python3.12/site-packages/django/core/handlers/base.py", line 197, in _get_response
    response = wrapped_callback(request, *callback_args, **callback_kwargs)
  File "/srv/releases/42/shop/views/cart.py", line 5, in checkout
    total = price.sum_of(request.items)
  File "/srv/releases/42/shop/models/price.py", line 7, in sum_of
    return sum(i["price"].amount for i in items)
KeyError: 'price'`},
	{name: "Java exception", tree: tree("shop"), first: []string{"src/main/java/com/acme/shop/Stock.java:5", "src/main/java/com/acme/shop/OrderService.java:7"},
		ask: `Exception in thread "main" java.lang.IllegalStateException: empty
	at com.acme.shop.Stock.reserve(Stock.java:5)
	at com.acme.shop.OrderService.place(OrderService.java:7)
	at java.base/java.lang.reflect.Method.invoke(Method.java:580)
	at org.junit.runner.JUnitCore.main(JUnitCore.java:36)`},
	{name: "TypeScript error", tree: tree("shop"), first: []string{"web/src/cart/total.ts:4", "web/src/cart/Cart.tsx:4"},
		ask: `TypeError: Cannot read properties of undefined (reading 'valueOf')
    at web/src/cart/total.ts:4:47
    at Array.reduce (<anonymous>)
    at total (webpack-internal:///./web/src/cart/total.ts:4:16)
    at Cart (file:///C:/work/shop/web/src/cart/Cart.tsx:4:14)
    at renderWithHooks (/work/shop/node_modules/react-dom/index.js:120:3)`},
	{name: "Rust panic", tree: tree("shop"), first: []string{"agent/src/parser.rs:3", "agent/src/main.rs:4"}, ask: "thread 'main' panicked at agent/src/parser.rs:3:46:" + `
called ` + "`Option::unwrap()` on a `None`" + ` value
stack backtrace:
   0: rust_begin_unwind
             at /rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/std/src/panicking.rs:645:5
   3: shop_agent::parser::parse_line
             at ./src/parser.rs:3:46
   4: shop_agent::main
             at ./src/main.rs:4:5`},
	{name: "C# exception", tree: tree("shop"), first: []string{"desktop/Shop/Invoice.cs:7", "desktop/Shop/Program.cs:7"},
		ask: `Unhandled exception. System.NullReferenceException: Object reference not set to an instance of an object.
   at Shop.Invoice.Total(Item item) in C:\build\shop\desktop\Shop\Invoice.cs:line 7
   at Shop.Program.Main() in C:\build\shop\desktop\Shop\Program.cs:line 7`},
	{name: "Ruby error", tree: tree("shop"), first: []string{"app/models/basket.rb:8", "app/models/basket.rb:3", "app/controllers/baskets_controller.rb:3"},
		ask: "/srv/shop/app/models/basket.rb:8:in `validate': no price (ArgumentError)\n\tfrom /srv/shop/app/models/basket.rb:3:in `add'\n" +
			"\tfrom /srv/shop/app/controllers/baskets_controller.rb:3:in `create'\n\tfrom /usr/lib/ruby/gems/3.3.0/gems/rack-3.0/lib/rack.rb:10:in `call'"},
	{name: "PHP error", tree: tree("shop"), first: []string{"legacy/lib/Mailer.php:13", "legacy/lib/Mailer.php:8", "legacy/index.php:3"},
		ask: `PHP Fatal error:  Uncaught RuntimeException: refused in /var/www/legacy/lib/Mailer.php:13
Stack trace:
#0 /var/www/legacy/lib/Mailer.php(8): Legacy\Mailer->connect()
#1 /var/www/legacy/index.php(3): Legacy\Mailer->send('a@example.org')
#2 {main}
  thrown in /var/www/legacy/lib/Mailer.php on line 13`},
	{name: "a trace of nothing in the tree", tree: tree("shop"), never: []string{"src/main/java"}, notFound: true, ask: `java.lang.StackOverflowError
	at org.zzz.Frobnicator.wibble(Frobnicator.java:12)
	at org.zzz.Frobnicator.wobble(Frobnicator.java:14)`},
	{name: "a question above a trace", tree: tree("shop"), first: []string{"shop/models/price.py:7"}, ask: `Why does checkout fail?

` + "```" + `
  File "/srv/releases/42/shop/models/price.py", line 7, in sum_of
KeyError: 'price'
` + "```"},
	{name: "a diff", tree: tree("shop"), first: []string{"internal/queue/retry.go:4"}, ask: `diff --git a/internal/queue/retry.go b/internal/queue/retry.go
index 83db48f..bf2a1c1 100644
--- a/internal/queue/retry.go
+++ b/internal/queue/retry.go
@@ -3,4 +3,5 @@ package queue
 // retryTask runs a failed task again after a pause.
 func retryTask(t Task, attempts int) error {
+	time.Sleep(time.Second)
 	return nil
 }`},
	{name: "a bug report from a template", tree: tree("shop"), first: []string{"internal/cache/cache.go:4"}, ask: bugReport},
}

// bugReport is a report of 4,000 characters as a template makes people write it.
var bugReport = `### Checklist
- [x] I have searched the existing issues
- [ ] I am willing to open a pull request

### Describe the bug
The cache is never evicted when the memory limit is reached, the process is killed after some hours.

### Steps to reproduce
1. Start the server with the default configuration
2. Send requests until memory is used up

### Expected behavior
The oldest entries are deleted.

### Environment
- OS: Ubuntu 24.04
- Version: 2.4.1 (commit 90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf)

### Code
` + "```go\nc := cache.New()\nfor {\n\tc.Put(key(), make([]byte, 1<<20))\n}\n```" + `

### Relevant log output
` + "```\n" + strings.Repeat("2025-03-02T10:11:12.345Z INFO  http: GET /api/v1/orders 200 12ms request_id=6f1c2b7e user=alice\n", 32) + "```\n\n<!-- please do not remove this -->\n"
