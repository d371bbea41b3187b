import type { AnswersById } from './answers.ts'

export const extractionAnswers: AnswersById = {
  'extraction-contact': {
    right:
      'Here is the contact:\n\n```json\n{\n  "name": "Sofia Lind",\n  "email": "sofia.lind@example.com",\n  "phone": "+46 8 123 456"\n}\n```',
    wrong: [
      '{"name": "Sofia", "email": "sofia.lind@example.com", "phone": "+46 8 123 456"}',
      '{"name": "Sofia Lind", "mail": "sofia.lind@example.com", "phone": "+46 8 123 456"}',
      'Name: Sofia Lind, e-mail: sofia.lind@example.com, phone: +46 8 123 456',
    ],
  },
  'extraction-iso-date': { right: '2024-03-05', wrong: ['2024-05-03', '05-03-2024', '2024-3-5'] },
  'extraction-csv-to-json': {
    right: '[{"name": "Ida", "age": 31}, {"name": "Noor", "age": 45}]',
    wrong: [
      '[{"name": "Ida", "age": "31"}, {"name": "Noor", "age": "45"}]',
      '{"Ida": 31, "Noor": 45}',
      '[{"name": "Ida", "age": 31}]',
    ],
  },
  'extraction-sort-names': {
    right: 'Ada, Bo, Milan, Petra, Zoe',
    wrong: ['Ada, Bo, Petra, Milan, Zoe', 'Zoe, Petra, Milan, Bo, Ada', 'Ada, Bo, Milan, Zoe'],
  },
  'extraction-german-price': {
    right: '{"artikel": "Stuhl", "preis": 1249.90}',
    wrong: [
      '{"artikel": "Stuhl", "preis": "1.249,90"}',
      '{"artikel": "Stuhl", "preis": 1.2499}',
      '{"artikel": "Stuhl", "preis": 1249}',
    ],
  },
  'extraction-invoice': {
    right:
      '```json\n{"number": "2024-118", "date": "2024-02-07", "items": [{"name": "desk lamp", "quantity": 3, "unitPrice": 24.50}, {"name": "cable set", "quantity": 1, "unitPrice": 9.90}], "total": 88.35}\n```',
    wrong: [
      '{"number": "2024-118", "date": "2024-02-07", "items": [{"name": "desk lamp", "quantity": 3, "unitPrice": 24.5}, {"name": "cable set", "quantity": 1, "unitPrice": 9.9}], "total": 83.4}',
      '{"number": "2024-118", "date": "2024-07-02", "items": [{"name": "desk lamp", "quantity": 3, "unitPrice": 24.5}, {"name": "cable set", "quantity": 1, "unitPrice": 9.9}], "total": 88.35}',
      '{"number": "2024-118", "date": "2024-02-07", "items": [{"name": "desk lamp", "quantity": 3, "unitPrice": 73.5}, {"name": "cable set", "quantity": 1, "unitPrice": 9.9}], "total": 88.35}',
    ],
  },
  'extraction-redact': {
    right: 'Ask Jo at [X] or [X], room 12, before 3 pm; her deputy is at [X].',
    wrong: [
      'Ask Jo at [X] or [X], room [X], before 3 pm; her deputy is at [X].',
      'Ask Jo at [X] or 555-0134, room 12, before 3 pm; her deputy is at [X].',
      'Ask [X] at [X] or [X], room 12, before 3 pm; her deputy is at [X].',
    ],
  },
  'extraction-table': {
    right: '{"Oslo": 717710, "Helsinki": 684018}',
    wrong: [
      '{"Oslo": "717,710", "Helsinki": "684,018"}',
      '{"Oslo": 717710, "Bergen": 291940, "Malmö": 362133, "Helsinki": 684018}',
      '{"Oslo": 717710}',
    ],
  },
  'extraction-camel-case': {
    right:
      '{"userId": 7, "homeAddress": {"streetName": "long_street", "zipCode": "0150"}, "tagList": ["new_user", {"isAdmin": false}]}',
    wrong: [
      '{"userId": 7, "homeAddress": {"streetName": "longStreet", "zipCode": "0150"}, "tagList": ["newUser", {"isAdmin": false}]}',
      '{"userId": 7, "homeAddress": {"street_name": "long_street", "zip_code": "0150"}, "tagList": ["new_user", {"is_admin": false}]}',
      '{"userId": 7, "homeAddress": {"streetName": "long_street", "zipCode": 150}, "tagList": ["new_user", {"isAdmin": false}]}',
    ],
  },
  'extraction-chinese-loan': {
    right:
      '```json\n{"lender": "王强", "borrower": "李娜", "amountYuan": 35000, "dueDate": "2026-05-03"}\n```',
    wrong: [
      '{"lender": "李娜", "borrower": "王强", "amountYuan": 35000, "dueDate": "2026-05-03"}',
      '{"lender": "王强", "borrower": "李娜", "amountYuan": 3.5, "dueDate": "2026-05-03"}',
      '{"lender": "王强", "borrower": "李娜", "amountYuan": 35000, "dueDate": "2025-05-03"}',
    ],
  },
  'extraction-log': {
    right:
      '{"levels": {"DEBUG": 1, "INFO": 6, "WARN": 2, "ERROR": 3}, "apiRequests": 7, "apiSuccesses": 5, "slowestMs": 812}',
    wrong: [
      '{"levels": {"DEBUG": 1, "INFO": 7, "WARN": 2, "ERROR": 4}, "apiRequests": 7, "apiSuccesses": 5, "slowestMs": 812}',
      '{"levels": {"DEBUG": 1, "INFO": 6, "WARN": 2, "ERROR": 3}, "apiRequests": 7, "apiSuccesses": 5, "slowestMs": 5000}',
      '{"levels": {"DEBUG": 1, "INFO": 6, "WARN": 2, "ERROR": 3}, "apiRequests": 7, "apiSuccesses": 6, "slowestMs": 812}',
    ],
  },
  'extraction-time-zones': {
    right: '["2026-03-31T07:30Z", "2026-03-27T19:00Z", "2026-10-28T08:15Z", "2026-04-02T13:15Z"]',
    wrong: [
      '["2026-03-31T08:30Z", "2026-03-27T20:00Z", "2026-10-28T08:15Z", "2026-04-02T13:15Z"]',
      '["2026-03-31T07:30Z", "2026-03-27T19:00Z", "2026-10-28T07:15Z", "2026-04-02T13:15Z"]',
      '["2026-03-31T07:30Z", "2026-03-27T19:00Z", "2026-10-28T08:15Z", "2026-04-03T00:15Z"]',
    ],
  },
  'extraction-merge-contacts': {
    right:
      '[{"name": "Anna Berg", "email": "anna@x.example", "phone": "491715550"}, {"name": "Lea Wu", "email": "lea@x.example", "phone": "5550199"}, {"name": "Tom Ross", "email": "tom@x.example", "phone": "5550101"}]',
    wrong: [
      '[{"name": "Tom Ross", "email": "tom@x.example", "phone": "5550101"}, {"name": "Anna Berg", "email": "anna@x.example", "phone": "491715550"}, {"name": "Lea Wu", "email": "lea@x.example", "phone": "5550199"}]',
      '[{"name": "Anna Berg", "email": "anna@x.example", "phone": "0171555"}, {"name": "Lea Wu", "email": "lea@x.example", "phone": "5550199"}, {"name": "Tom Ross", "email": "tom@x.example", "phone": "5550101"}]',
      '[{"name": "Anna Berg", "email": "anna@x.example", "phone": "+491715550"}, {"name": "Lea Wu", "email": "lea@x.example", "phone": "5550199"}, {"name": "Thomas Ross", "email": "tom@x.example", "phone": "5550101"}]',
    ],
  },
  'extraction-quoted-csv': {
    right: String.raw`[{"id": "007", "title": "Nuts, bolts and \"extras\"", "price": 4.5}, {"id": "12", "title": "  spaced ", "price": null}, {"id": "013", "title": "He said \"no\"", "price": 0}]`,
    wrong: [
      String.raw`[{"id": 7, "title": "Nuts, bolts and \"extras\"", "price": 4.5}, {"id": 12, "title": "  spaced ", "price": null}, {"id": 13, "title": "He said \"no\"", "price": 0}]`,
      String.raw`[{"id": "007", "title": "Nuts, bolts and \"extras\"", "price": 4.5}, {"id": "12", "title": "spaced", "price": null}, {"id": "013", "title": "He said \"no\"", "price": 0}]`,
      String.raw`[{"id": "007", "title": "Nuts, bolts and \"\"extras\"\"", "price": 4.5}, {"id": "12", "title": "  spaced ", "price": 0}, {"id": "013", "title": "He said \"\"no\"\"", "price": 0}]`,
    ],
  },
  'extraction-medication': {
    right:
      '[{"drug": "aspirin", "mg": 100}, {"drug": "candesartan", "mg": 8}, {"drug": "metformin", "mg": 850}]',
    wrong: [
      '[{"drug": "aspirin", "mg": 100}, {"drug": "candesartan", "mg": 8}, {"drug": "metformin", "mg": 850}, {"drug": "zinc", "mg": 15}]',
      '[{"drug": "aspirin", "mg": 100}, {"drug": "candesartan", "mg": 8}, {"drug": "metformin", "mg": 500}]',
      '[{"drug": "aspirin", "mg": 100}, {"drug": "candesartan", "mg": 8}, {"drug": "metformin", "mg": 1700}]',
    ],
  },
  'extraction-stock': {
    right:
      'Nuts: 25 + 36 − 10 − 2 = 49; sets take 10 of them.\n\n```json\n{"bolts": 18, "nuts": 39, "washers": 16, "sets": 5}\n```',
    wrong: [
      '{"bolts": 16, "nuts": 37, "washers": 12, "sets": 6}',
      '{"bolts": 38, "nuts": 39, "washers": 16, "sets": 5}',
      '{"bolts": 20, "nuts": 41, "washers": 18, "sets": 5}',
    ],
  },
  'extraction-email-thread': {
    right:
      '{"date": "2026-06-05", "start": "11:00", "end": "11:45", "room": "Quito", "attendees": ["Ana", "Ben", "Dana"]}',
    wrong: [
      '{"date": "2026-06-05", "start": "11:00", "end": "12:00", "room": "Quito", "attendees": ["Ana", "Ben", "Dana"]}',
      '{"date": "2026-06-05", "start": "10:30", "end": "11:15", "room": "Quito", "attendees": ["Ana", "Ben", "Chidi"]}',
      '{"date": "2026-06-04", "start": "11:00", "end": "11:45", "room": "Quito", "attendees": ["Ana", "Ben", "Dana"]}',
    ],
  },
  'extraction-free-slots': {
    right: '["10:50-11:30", "12:00-12:40"]',
    wrong: [
      '["10:50-11:30", "12:00-13:00"]',
      '[]',
      '["10:50-11:30", "12:00-12:40", "15:00-15:20", "17:00-17:15"]',
    ],
  },
  'extraction-revenue': {
    right: '{"North": 2360.75, "South": 2709.00}',
    wrong: [
      '{"North": 2660.75, "South": 2756.78}',
      '{"North": 2360.75, "South": 5859.00}',
      '{"North": 2360.75, "South": 2756.78}',
    ],
  },
  'extraction-text-steps': {
    right: 'thi-tioaq-fux-spmaj-uvir-31-lezy-sgud',
    wrong: [
      'thi-qaiot-fux-jampd-uvir-13-lezy-dugs',
      'thi-tioaq-fux-spmaj-uvir-13-lezy-sgud',
      'the-teiuq-fox-spmuj-over-31-lazy-sgod',
    ],
  },
}
