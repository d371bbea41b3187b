/** Graded prompts about computers and data beside writing code, by kind. graded-prompts.ts describes the lines. */
export const technicalWork = {
  shell_and_servers: String.raw`
1 computer_science | how do i list files with sizes in linux ~ what's my ip on windows ~ command to make a folder ~ how to exit vim ~ which port does https use?
1 computer_science @de | wie starte ich einen dienst mit systemd neu? ~ was macht chmod 644?
1 computer_science @es | cómo veo cuánto espacio queda en el disco en linux ~ ¿qué hace el comando pwd?
1 computer_science @fr | comment renommer un fichier en bash ?
1 computer_science @ru | как посмотреть запущенные процессы в linux ~ что такое ssh?
1 computer_science @pl | jak sprawdzić wersję ubuntu
1 computer_science @nl | hoe kopieer ik een map in de terminal
1 computer_science @it | come si scompatta un file tar.gz
1 computer_science | I pasted the whole log because I wasn't sure what you need. It's really only this: on which day was it written? {{log}}
2 computer_science | nginx block that sends http to https and proxies /api to port 3000 ~ cron for every weekday at 6:30 and a log ~ my ssh key is refused, what to check first? ~ Dockerfile for a small flask app ~ find files over 1 GB older than a month and print them by size
2 computer_science @de | Backup-Skript mit rsync auf eine USB-Platte, nachts, sieben Stände ~ systemd-Unit für ein Node-Programm
2 computer_science @fr | docker compose avec wordpress et mariadb, données conservées
2 computer_science @pl | skrypt bash, który usuwa pliki starsze niż 14 dni, ale pyta przed usunięciem
2 computer_science @es | reglas de ufw para abrir solo ssh y web
2 computer_science @nl | git: de laatste twee commits samenvoegen tot één
2 computer_science @it | configurare un certificato let's encrypt su apache
2 computer_science @ru | ansible-плейбук: поставить nginx и выложить статический сайт
3 computer_science | load is 40, cpu idle 90 %, no swap: what's going on and which five commands tell? ~ Zero-downtime move of a 300 GB postgres 12 to 16 on a new host, with the way back ~ OOM kills in one of three identical pods only, every night at 2; plan of search. ~ Terraform state was deleted, everything runs: recover without recreating.
3 computer_science @de | DNS-Umzug von vier Domains mit DNSSEC und Mail ohne Ausfall, Reihenfolge mit TTLs
3 computer_science @ru | Почему TCP-соединения рвутся ровно через 350 секунд за облачным балансировщиком и что с этим делать на обеих сторонах?
4 computer_science | Kernel soft lockups under virtio with 200 guests, perf shows the idle loop. Explain and prove by experiment. ~ Quorum across two data centres without a third: what's impossible, what's the least bad? ~ eBPF program that measures run queue latency per cgroup without losing events ~ diagnose from this alone and give the patch: split lock, 3 % of requests at exactly 211 ms
4 computer_science @fr | Concevoir une PKI hors ligne pour 40 000 appareils à horloge fausse, avec révocation.
5 computer_science | Verified hypervisor scheduler without timing channels.
`,
  code_review: String.raw`
1 code_editing | is this valid json? {"a": 1,} ~ what's wrong: pritn("hello") ~ add a semicolon where it's missing: let a = 1 let b = 2; ~ rename x to count: x = x + 1 ~ is i++ the same as i = i + 1 in c?
1 code_editing @de | fehlt hier eine klammer? print(len("abc")
1 code_editing @es | ¿qué falla? for i in range(3) print(i)
1 code_editing @pl | popraw: if x = 3: print(x)
1 code_editing @ru | что не так: conts a = 5;
1 code_editing @fr | corrige : retrun x
1 code_editing @it | cosa manca? def f(x) return x
1 code_editing @nl | wat is hier fout: <p>hallo</b>
2 code_editing | write a commit message for: moved retry logic into its own file, no change of behaviour ~ docstring for: def area(r): return 3.14159 * r * r ~ unit tests for a function slugify(title) that lowercases, strips accents and joins by hyphens ~ Is SELECT * bad here? users has 6 columns, we show 5.
2 code_editing @de | Mach daraus eine Schleife: print(1); print(2); print(3); print(4)
2 code_editing @fr | Renomme les variables pour qu'on comprenne : def f(a,b): c=a*b; return c*1.2
2 code_editing @ru | Перепиши на async/await: fetch(u).then(r => r.json()).then(d => show(d)).catch(e => log(e))
2 code_editing @it | Aggiungi i tipi: function somma(a, b) { return a + b }
2 code_editing @es | Simplifica: if (x === true) { return true } else { return false }
2 code_editing @pl | Dodaj obsługę błędów: with open("dane.txt") as f: print(f.read())
2 code_editing @nl | Zet om naar een list comprehension: r = []\nfor x in xs:\n  if x > 0:\n    r.append(x*x)
3 code_editing | Review: async function save(o){ if(!cache[o.id]) cache[o.id]=await load(o.id); cache[o.id].n++; await store(cache[o.id]) } ~ Which inputs break it? def mid(a, b): return (a + b) // 2 if a < b else mid(b, a) ~ Split this 900 line controller plan: what are the seams if tests exist only at HTTP level? ~ Make it safe against replay: token = sha256(user + date + secret)
3 code_editing @de | Prüfe auf Nebenläufigkeit: private static Map<String,Foo> c = new HashMap<>(); Foo get(String k){ return c.computeIfAbsent(k, this::load); }
3 code_editing @es | Revisa este diseño: soft delete con columna deleted_at e índices únicos; ¿qué se rompe y cómo se arregla?
4 code_editing | Is this double-checked lock right on ARM, and if not, give an execution: if(!p){lock();if(!p)p=new T;unlock();} return p; ~ constant-time compare: does the compiler keep it? r|=a[i]^b[i] then return !r ~ port fork-after-threads to posix_spawn everywhere without losing one fd ~ find the ABA: pop(){do{h=top;n=h->next}while(!cas(&top,h,n));return h}
4 code_editing @fr | Montre une exécution où cette file perd un élément, ou prouve qu'il n'y en a pas : push: t=tail; t->next=n; tail=n (CAS sur next seulement).
5 code_editing | Prove or refute that seqlocks can be written in C++20 without UB.
`,
  data_questions: String.raw`
1 economics | what's the mean of 2, 4 and 9? ~ median of 1 5 7 ~ what is a bar chart good for? ~ is 30 of 120 a quarter
1 economics @de | was ist ein mittelwert? ~ was ist der median von 3, 8, 9?
1 economics @fr | que veut dire pourcentage ?
1 economics @es | ¿qué es la moda en estadística?
1 economics @it | a cosa serve un grafico a torta?
1 economics @pl | co to jest średnia arytmetyczna?
1 economics @nl | wat is een staafdiagram?
1 economics @ru | что такое медиана?
1 economics | This is a long file, sorry. How many columns does it have? Just the number. {{table}}
2 economics | p = 0.03, what does that mean in one sentence for my boss? ~ Which chart shows shares over ten years? ~ Explain correlation and causation with ice cream. ~ Five questions for a survey about our canteen ~ Spot anything odd in these sales: 410, 395, 402, 40, 417
2 economics @de | Was sagt eine Standardabweichung von 12 bei einem Mittel von 80? ~ Fragebogen zur Zufriedenheit im Verein, acht Fragen
2 economics @pl | Jak czytać wykres pudełkowy?
2 economics @fr | Explique la différence entre moyenne et médiane des salaires.
2 economics @es | ¿Cuántas personas encuesto en un barrio de 5.000 para un error del 5 %?
2 economics @it | Che grafico uso per confrontare due anni mese per mese?
2 economics @nl | Leg uit wat een steekproef is en waarom hij willekeurig moet zijn.
2 economics @ru | Что значит доверительный интервал, простыми словами?
3 economics | B converts 4.1 % of 3,900 against 3.6 % of 4,100. Ship it? We looked daily for two weeks. ~ Sales fell after we raised prices, in the month a rival opened. What would separate the two? ~ Simpson's paradox in hospital data: make a small table that shows it, with all sums right.
3 economics @de | Regression zur Mitte oder Wirkung? Die zehn schlechtesten Filialen wurden geschult und besserten sich um 18 %.
3 economics @ru | Оцени нужный размер выборки для разницы 2 п.п. при базе 11 %, мощность 0,8, три группы с поправкой.
4 economics | Staggered rollout to 40 shops with anticipation: why is two-way fixed effects wrong, what instead, and which weights went negative? ~ exact posterior for a Poisson with unknown exposure ~ Bound the bias if dropouts aren't random ~ Identify demand from four years of auction bids with one collusive ring.
4 economics @es | Deduce el estimador de varianza robusto por clúster con 7 clústeres y di cuándo el bootstrap salvaje también falla.
5 economics | Prove that no test of conditional independence has power everywhere.
`,
  web_and_design: String.raw`
1 code_writing | html for a link that opens in a new tab ~ css for bold text ~ hex code of white ~ what does alt text do? ~ how do I make a button round
1 code_writing @de | wie mache ich text in css rot? ~ html für eine überschrift
1 code_writing @es | cómo pongo una imagen en html
1 code_writing @fr | comment centrer un titre en css
1 code_writing @it | come si fa un elenco puntato in html
1 code_writing @pl | jak zmienić kolor tła w css
1 code_writing @nl | html voor een lege regel
1 code_writing @ru | как сделать ссылку в html
2 code_writing | landing page of a dog groomer, one file, no framework ~ contact form with three fields and checks in plain js ~ Five names and a slogan for an app that counts houseplants ~ error text for a card that was declined, kind and short ~ colours for a funeral home's site, with hex codes
2 code_writing @de | Speisekarte als responsive HTML-Seite mit Flexbox ~ Texte für eine Cookie-Abfrage, ehrlich und kurz
2 code_writing @fr | page 404 drôle pour un site de fromages
2 code_writing @es | menú hamburguesa en css y js sin librerías
2 code_writing @pl | formularz logowania w html i css, etykiety nad polami
2 code_writing @it | Scrivi i testi dei pulsanti per un'app di biblioteca.
2 code_writing @nl | kaartjes in drie kolommen die op mobiel onder elkaar staan
2 code_writing @ru | сверстай карточку товара на флексах
3 code_writing | Combobox with listbox popup that follows the ARIA pattern to the letter, no library. ~ Table that stays readable at 320 px, prints well, sorts by keyboard ~ Onboarding for people who never chose a password: five screens, all texts, what can go wrong in each ~ why does my sticky header jump only in ios when the keyboard opens?
3 code_writing @de | Dunkelmodus ohne Flackern mit SSR und strenger CSP, ohne unsicheres Inline-Skript
3 code_writing @ru | виртуальный список с переменной высотой строк на чистом js, без скачков при прокрутке вверх
4 code_writing | rich text caret, bidi, from scratch ~ Layout engine for CSS grid subgrid in 500 lines with baseline alignment ~ an OT-based whiteboard with undo per user that survives reorder ~ Kerning pairs for my typeface from its outlines alone
4 code_writing @fr | Éditeur de formules accessible au lecteur d'écran, entrée au clavier, sortie MathML, sans bibliothèque.
5 code_writing | pixel-exact rendering of Nastaliq with justified lines, in the browser, from first principles
`,
  converting: String.raw`
1 transformation | 25 degrees celsius in fahrenheit ~ 3 km in metres ~ upper case: banana ~ write 42 in words ~ sort: pear, apple, fig ~ is "level" a palindrome?
1 transformation @de | schreibe 17 in worten ~ 2 stunden in minuten
1 transformation @fr | écris 80 en lettres ~ 5 kg en grammes
1 transformation @es | escribe 15 en romano ~ 100 cm en metros
1 transformation @it | scrivi 21 in lettere
1 transformation @pl | zapisz 12 słownie
1 transformation @nl | 1 liter in milliliter
1 transformation @ru | напиши число 14 словами
1 transformation | Ignore everything but the last line and repeat it.\n\n{{harvest}}\n\nthank you
2 transformation | csv to json: name,age\nada,36\nbo,9 ~ as a markdown table: red 3, blue 5, green 1 ~ to yaml: {"port": 80, "hosts": ["a", "b"]} ~ make ISO dates: 3/4/25 (US), 12 Feb 2024, 1.9.23 (German) ~ {{table}}\n\nas csv with commas instead of semicolons, nothing else changed
2 transformation @de | mach daraus eine tabelle: anna wohnt in bonn und ist 30, ben in ulm und 41
2 transformation @es | pasa a json: producto lápiz, precio 0,80; producto goma, precio 1,20
2 transformation @ru | сделай таблицу: понедельник 3 часа, вторник 5 часов, среда выходной
2 transformation @fr | convertis la recette pour 10 au lieu de 4 : 200 g de riz, 2 oignons, 30 cl de lait
2 transformation @it | da elenco a frase: latte, uova, farina, burro
2 transformation @pl | zamień na format 24-godzinny: 3:15 pm, 12:05 am, 11:40 pm
2 transformation @nl | zet om naar een genummerde lijst op alfabet: peer, appel, kers
3 transformation | 0x1F3A to decimal and binary, show steps ~ iCalendar for a meeting every second Tuesday in Vienna from March to June with correct time zone block ~ turn this into RFC 4180 csv: he said "no, thanks", then left; 2 lines in one field ~ mojibake: what was "Ã¼berprÃ¼fen" and how did it come to be?
3 transformation @de | Wandle in gültiges XML mit Namensraum und Schema-Verweis: Bestellung 12, zwei Positionen, Rabatt nur auf die zweite
4 transformation | base64 by hand: "zürich\0" ~ reverse "Llanfairpwllgwyngyll" ~ how many r in: strawberry raspberry barrier mirror ~ count the words with exactly two e's: {{kiln}} ~ 987654321 times 123456789 ~ every third letter of: the quick brown fox jumps over the lazy dog
4 transformation @es | cuenta las letras a de: la abracadabrante araña cantaba en la cabaña ~ escribe al revés: electroencefalografista
4 transformation @de | wie viele n hat "Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüssel"?
4 transformation @fr | combien de e dans « les lettres muettes gênent les élèves » ?
4 transformation @ru | сколько букв «о» в слове «обороноспособность» и в «водоворотоподобный»?
4 transformation @pl | napisz od końca: konstantynopolitańczykowianeczka
5 transformation | MD5 of "hello there" by hand ~ sha256("a") without tools, first 8 hex digits ~ a 12 by 12 word square
`,
  security: String.raw`
1 computer_science | what's phishing? ~ is "password123" a good password? ~ what does 2fa mean ~ should I click a link in an email from a stranger? ~ what is a firewall
1 computer_science @de | was ist ein passwortmanager? ~ was ist ein virus?
1 computer_science @fr | c'est quoi un vpn ?
1 computer_science @es | ¿qué es un antivirus?
1 computer_science @it | che cos'è lo spam?
1 computer_science @pl | co to jest https?
1 computer_science @nl | wat is een hacker?
1 computer_science @ru | что такое двухфакторная аутентификация?
2 computer_science | My account was hacked, what do I do first, second, third? ~ Explain public key cryptography to a manager. ~ a short policy on passwords for a firm of 20 ~ Is this mail real? Your parcel is held, pay 1.99 at post-track.example within 24 hours ~ how to store passwords in a small web app, what library
2 computer_science @de | Checkliste: Router zu Hause sicher einrichten ~ Wie erkenne ich eine gefälschte Bankmail?
2 computer_science @es | Guía corta para que mis padres no caigan en estafas por teléfono
2 computer_science @pl | Wyjaśnij różnicę między szyfrowaniem a haszowaniem.
2 computer_science @fr | Que faire après une fuite de mots de passe dans une association ?
2 computer_science @it | Come faccio i backup per difendermi dal ransomware?
2 computer_science @nl | Leg SQL-injectie uit met een voorbeeld en de oplossing.
2 computer_science @ru | Памятка сотрудникам: как работать с флешками и чужим wi-fi
3 computer_science | CSP for a site with Stripe, Matomo and inline styles from a CMS, strict as possible ~ Threat model of a door lock that opens by app, ten threats ranked ~ OAuth for a CLI without a browser: flow, storage, refresh, revocation ~ JWT in cookie or header for a SPA on another domain? Decide.
3 computer_science @de | Rechtekonzept für ein Klinikarchiv mit Notfallzugriff, Protokoll und Vier-Augen-Löschung
3 computer_science @fr | Plan de réponse à un rançongiciel pour une mairie de 60 postes, premières 72 heures
4 computer_science | padding oracle on AES-CBC with MAC-then-encrypt: byte by byte, number of queries, why not constant time ~ Spot the flaw: ECDSA with nonce = H(key) xor H(msg) truncated to 224 bits ~ DNS rebinding past our allow list, and the fix ~ formal proof sketch of forward secrecy for X3DH
4 computer_science @ru | Восстанови секретный ключ RSA, если известны старшие 60 % битов p; опиши решётку и границу.
5 computer_science | Break or prove: Fiat-Shamir for this sigma protocol in the QROM with tight bounds
`,
}
