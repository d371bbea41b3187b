import type { DomainPrompt } from './domain-prompt.ts'

export const extractionPrompts: readonly DomainPrompt[] = [
  {
    id: 'extraction-contact',
    grade: 1,
    prompt:
      'Extract the contact as JSON with the fields "name", "email" and "phone":\n\nPlease write to Sofia Lind (sofia.lind@example.com) or call her at +46 8 123 456.',
    check: {
      type: 'json_schema',
      schema: { type: 'object', required: ['name', 'email', 'phone'] },
      equals: { name: 'Sofia Lind', email: 'sofia.lind@example.com', phone: '+46 8 123 456' },
    },
  },
  {
    id: 'extraction-iso-date',
    grade: 1,
    prompt: 'Write the date "5 March 2024" as YYYY-MM-DD. Reply with the date only.',
    check: { type: 'exact', expected: ['2024-03-05'] },
  },
  {
    id: 'extraction-csv-to-json',
    grade: 1,
    prompt:
      'Convert this CSV to a JSON array of objects. Ages are numbers.\n\nname,age\nIda,31\nNoor,45',
    check: {
      type: 'json_schema',
      schema: { type: 'array' },
      equals: [
        { name: 'Ida', age: 31 },
        { name: 'Noor', age: 45 },
      ],
    },
  },
  {
    id: 'extraction-sort-names',
    grade: 1,
    prompt:
      'Sort these names alphabetically and reply with them on one line, separated by a comma and a space: Zoe, Milan, Ada, Petra, Bo',
    check: { type: 'exact', expected: ['Ada, Bo, Milan, Petra, Zoe'] },
  },
  {
    id: 'extraction-german-price',
    grade: 1,
    prompt:
      'Gib Artikel und Preis als JSON mit den Feldern "artikel" und "preis" (Zahl) zurück:\n\nDer Stuhl kostet 1.249,90 Euro inklusive Versand.',
    check: {
      type: 'json_schema',
      schema: { type: 'object', required: ['artikel', 'preis'] },
      values: { '/preis': 1249.9, '/artikel': 'Stuhl' },
    },
  },
  {
    id: 'extraction-invoice',
    grade: 2,
    prompt:
      'Extract this invoice as JSON: {"number": string, "date": "YYYY-MM-DD", "items": [{"name", "quantity", "unitPrice"}], "total": number}. The total includes shipping, which is no item. Item names are as written, without the quantity.\n\nInvoice 2024-118, 7 Feb 2024. 3 x desk lamp at 24.50 each, 1 x cable set at 9.90. Shipping 4.95. Paid by card.',
    check: {
      type: 'json_schema',
      schema: { type: 'object', required: ['number', 'date', 'items', 'total'] },
      equals: {
        number: '2024-118',
        date: '2024-02-07',
        items: [
          { name: 'desk lamp', quantity: 3, unitPrice: 24.5 },
          { name: 'cable set', quantity: 1, unitPrice: 9.9 },
        ],
        total: 88.35,
      },
    },
  },
  {
    id: 'extraction-redact',
    grade: 2,
    prompt:
      'Replace every e-mail address and every phone number in this text with [X], change nothing else, and reply with the text only:\n\nAsk Jo at jo@example.org or 555-0134, room 12, before 3 pm; her deputy is at d.k@example.org.',
    check: {
      type: 'exact',
      isCaseSensitive: true,
      expected: ['Ask Jo at [X] or [X], room 12, before 3 pm; her deputy is at [X]'],
    },
  },
  {
    id: 'extraction-table',
    grade: 2,
    prompt:
      'Convert the table to a JSON object that maps each city to its population as a number, for cities with more than 500,000 people only:\n\n| City | Population |\n|---|---|\n| Oslo | 717,710 |\n| Bergen | 291,940 |\n| Malmö | 362,133 |\n| Helsinki | 684,018 |',
    check: {
      type: 'json_schema',
      schema: { type: 'object' },
      equals: { Oslo: 717_710, Helsinki: 684_018 },
    },
  },
  {
    id: 'extraction-camel-case',
    grade: 2,
    prompt:
      'Change all keys of this JSON from snake_case to camelCase, at every level, and leave the values as they are. Reply with JSON only.\n\n{"user_id": 7, "home_address": {"street_name": "long_street", "zip_code": "0150"}, "tag_list": ["new_user", {"is_admin": false}]}',
    check: {
      type: 'json_schema',
      schema: { type: 'object' },
      equals: {
        userId: 7,
        homeAddress: { streetName: 'long_street', zipCode: '0150' },
        tagList: ['new_user', { isAdmin: false }],
      },
    },
  },
  {
    id: 'extraction-chinese-loan',
    grade: 2,
    prompt:
      '从下面的句子中提取信息，只回答JSON：{"lender": 出借人, "borrower": 借款人, "amountYuan": 金额（元，数字）, "dueDate": "YYYY-MM-DD"}\n\n李娜于2025年11月3日向王强借款3.5万元，约定6个月后的同一日归还，年利率4%。',
    check: {
      type: 'json_schema',
      schema: { type: 'object' },
      equals: { lender: '王强', borrower: '李娜', amountYuan: 35_000, dueDate: '2026-05-03' },
    },
  },
  {
    id: 'extraction-log',
    grade: 3,
    prompt: `Read this log. Reply with JSON only: {"levels": {"DEBUG", "INFO", "WARN", "ERROR": lines by their level}, "apiRequests": lines of the component api, "apiSuccesses": those with a status from 200 to 299, "slowestMs": longest duration of a line of the component api}.

09:00:01 INFO api GET /users 200 34ms
09:00:02 WARN api GET /users 200 812ms
09:00:02 ERROR db timeout after 5000ms
09:00:03 INFO api POST /orders 201 120ms
09:00:05 ERROR api POST /orders 500 45ms
09:00:05 INFO retry of ERROR 500 scheduled
09:00:07 INFO api POST /orders 201 131ms
09:00:09 DEBUG cache INFO line skipped
09:00:11 WARN disk 91% full
09:00:12 INFO api GET /users 404 12ms
09:00:15 ERROR db connection refused
09:00:15 INFO api GET /health 200 3ms`,
    check: {
      type: 'json_schema',
      schema: { type: 'object' },
      equals: {
        levels: { DEBUG: 1, INFO: 6, WARN: 2, ERROR: 3 },
        apiRequests: 7,
        apiSuccesses: 5,
        slowestMs: 812,
      },
    },
  },
  {
    id: 'extraction-time-zones',
    grade: 3,
    prompt:
      'Convert these local times to UTC, with the daylight saving time of each place: 31 March 2026, 9:30 in Berlin; 27 March 2026, 3 pm in New York; 28 October 2026, 8:15 in London; 2 April 2026, 6:45 pm in Kolkata. Reply with a JSON array of four strings in the form "YYYY-MM-DDTHH:MMZ", in this order.',
    check: {
      type: 'json_schema',
      schema: { type: 'array', items: { type: 'string' } },
      equals: ['2026-03-31T07:30Z', '2026-03-27T19:00Z', '2026-10-28T08:15Z', '2026-04-02T13:15Z'],
    },
  },
  {
    id: 'extraction-merge-contacts',
    grade: 3,
    prompt: `Merge these contacts. Two rows are the same person if their e-mail addresses are equal without regard to case. Of each person keep the name of the first row, the address in lower case, and the phone number with the most digits, as digits only. Sort by e-mail address. Reply with a JSON array of {"name", "email", "phone"}.

Tom Ross; tom@x.example; -
Anna Berg; ANNA@x.example; 0171 555
Lea Wu; lea@x.example; 555 0199
A. Berg; anna@x.example; +49 171 5550
Thomas Ross; tom@X.example; 555-0101`,
    check: {
      type: 'json_schema',
      schema: { type: 'array' },
      equals: [
        { name: 'Anna Berg', email: 'anna@x.example', phone: '491715550' },
        { name: 'Lea Wu', email: 'lea@x.example', phone: '5550199' },
        { name: 'Tom Ross', email: 'tom@x.example', phone: '5550101' },
      ],
    },
  },
  {
    id: 'extraction-quoted-csv',
    grade: 3,
    prompt: `Convert this CSV (RFC 4180) to a JSON array of objects. Prices are numbers, an empty price is null, and all other values are strings exactly as they are.

id,title,price
007,"Nuts, bolts and ""extras""",4.50
12,"  spaced ",
013,"He said ""no""",0`,
    check: {
      type: 'json_schema',
      schema: { type: 'array' },
      equals: [
        { id: '007', title: 'Nuts, bolts and "extras"', price: 4.5 },
        { id: '12', title: '  spaced ', price: null },
        { id: '013', title: 'He said "no"', price: 0 },
      ],
    },
  },
  {
    id: 'extraction-medication',
    grade: 3,
    prompt: `Which drugs does this patient take today, and at which single dose? Reply with a JSON array of {"drug": lower case, "mg": number}, sorted by drug.

Note of 14 July: Metformin 500 mg twice daily was increased to 850 mg twice daily last week. Ramipril 5 mg was stopped in March because of cough and replaced by candesartan 8 mg. She no longer takes ibuprofen 400 mg. Aspirin 100 mg continues. Simvastatin 20 mg was recommended, but she declined. Zinc 15 mg is taken from November to February only.`,
    check: {
      type: 'json_schema',
      schema: { type: 'array' },
      equals: [
        { drug: 'aspirin', mg: 100 },
        { drug: 'candesartan', mg: 8 },
        { drug: 'metformin', mg: 850 },
      ],
    },
  },
  {
    id: 'extraction-stock',
    grade: 4,
    prompt: `What is in stock at the main store on Thursday evening? Reply with JSON only: {"bolts", "nuts", "washers", "sets"}. Parts packed into sets no longer count as single parts.

- On Monday morning there were 40 bolts, 25 nuts, 60 washers and no sets.
- Monday: 3 boxes of 12 nuts were delivered. 15 bolts and 10 nuts were sold.
- Tuesday: half of the washers went to the branch. One of Monday's boxes turned out to hold only 10 nuts.
- Wednesday: the branch sent 8 washers back. A customer returned 5 of the bolts bought on Monday; 2 of them were broken and thrown away. A count showed 2 washers fewer than recorded, and the record was corrected.
- Thursday: 6 sets were packed, each with 2 bolts, 2 nuts and 4 washers; one of them was unpacked again. 20 bolts were ordered for Friday.`,
    check: {
      type: 'json_schema',
      schema: { type: 'object' },
      equals: { bolts: 18, nuts: 39, washers: 16, sets: 5 },
    },
  },
  {
    id: 'extraction-email-thread',
    grade: 4,
    prompt: `What was finally agreed? Reply with JSON only: {"date": "YYYY-MM-DD", "start": "HH:MM", "end": "HH:MM", "room", "attendees": names without Eva, sorted}.

Eva (Monday, 1 June 2026): Budget review on Thursday at 14:00 in Oslo. Ana, Ben, Chidi, please come. One hour.
Ben: Not on Thursday, sorry. Friday, same time?
Ana: Friday is fine, but only before noon.
Eva: Then Friday at 10:30. Oslo is taken, so Lima.
Chidi: I am away on Friday. Dana comes for me.
Eva: Good. And half an hour later, please, I have a call until 10:45. 45 minutes are enough.
Dana: Lima has no screen. Quito has one and is free from 11 to 12.
Ben: My train leaves at 11:50, that is tight but works.
Eva: Quito then. See you there!`,
    check: {
      type: 'json_schema',
      schema: { type: 'object' },
      equals: {
        date: '2026-06-05',
        start: '11:00',
        end: '11:45',
        room: 'Quito',
        attendees: ['Ana', 'Ben', 'Dana'],
      },
    },
  },
  {
    id: 'extraction-free-slots',
    grade: 4,
    prompt:
      'Three people want to meet between 09:00 and 17:30. Busy times: A 09:00-10:15, 11:30-12:00, 13:00-13:40, 15:20-17:00; B 08:30-09:20, 10:05-10:50, 13:30-14:30, 16:10-16:30; C 09:40-10:30, 12:40-13:00, 14:25-15:00, 17:15-18:00. In which periods are all three free for at least 40 minutes? Reply with a JSON array of strings in the form "HH:MM-HH:MM", each as long as possible, in order.',
    check: {
      type: 'json_schema',
      schema: { type: 'array', items: { type: 'string' } },
      equals: ['10:50-11:30', '12:00-12:40'],
    },
  },
  {
    id: 'extraction-revenue',
    grade: 4,
    prompt: `Sum up the revenue by region in euros, at 1 CHF = 1.05 EUR and 1 USD = 0.90 EUR. Refunds and credit notes reduce it; offers are no revenue. Reply with JSON only: {"North": number, "South": number}, rounded to cents.

Nord, Q1: 1.200,50 EUR
Süd, Q1: CHF 980.00
North, Q1: credit note EUR 150.00
Norden, 2. Quartal: 1.310,25 €
South, Q2: CHF 1'045.50, of which CHF 45.50 refunded
South, Q2: offer over CHF 3'000
Süd, Q3: USD 700`,
    check: {
      type: 'json_schema',
      schema: { type: 'object' },
      equals: { North: 2360.75, South: 2709 },
    },
  },
  {
    id: 'extraction-text-steps',
    grade: 4,
    prompt:
      'Apply these steps to the text and reply with the result only. 1. Reverse the characters of every second word (the 2nd, 4th, 6th, 8th). 2. Join all words with hyphens and make everything lower case. 3. Replace every vowel with the next one of the cycle a, e, i, o, u, a, all at the same time.\n\nThe Quiet Fox jumps over 13 lazy dogs',
    check: { type: 'exact', expected: ['thi-tioaq-fux-spmaj-uvir-31-lezy-sgud'] },
  },
]
