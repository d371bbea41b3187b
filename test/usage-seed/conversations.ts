/** The conversations of the seeded folder, newest first. */
export interface SeededConversation {
  title: string
  question: string
  answer: string
}

export const conversations: readonly SeededConversation[] = [
  {
    title: 'Slow query on the orders table',
    question:
      'Which index does this query need? It takes four seconds on 12 million orders: ' +
      'the last 20 of one customer with one status, newest first.',
    answer:
      'One index on the two filters, then the sort column, so that the database reads 20 rows and stops:\n\n' +
      '```sql\nCREATE INDEX CONCURRENTLY orders_by_customer\n' +
      '  ON orders (customer_id, status, created_at DESC)\n  INCLUDE (id, total);\n```\n\n' +
      '| Index | Rows read | Sort | Time |\n| --- | ---: | --- | ---: |\n' +
      '| none | 12,000,000 | on disk | 4.1 s |\n| `(customer_id)` | 3,400 | in memory | 38 ms |\n' +
      '| all three columns | 20 | none | **0.4 ms** |\n\n' +
      '`INCLUDE` lets it answer from the index alone. `CONCURRENTLY` builds it without locking writes.',
  },
  {
    title: 'Release notes for 2.8',
    question: 'Turn these ten commits into release notes of five lines.',
    answer: 'Here are the five changes that users notice, the most important one first.',
  },
  {
    title: 'Names for a retry helper',
    question: 'Three names for a function that tries a request again after a pause?',
    answer: '`retryAfterPause`, `withRetries` and `sendWithBackoff`.',
  },
  {
    title: 'Polite reply to a late supplier',
    question: 'Write a short, friendly reminder about a delivery that is a week late.',
    answer: 'Hello Kim, the delivery of 14 November has not reached us yet. When may we expect it?',
  },
  {
    title: 'Difference between p95 and p99',
    question: 'Explain p95 and p99 to someone who knows averages.',
    answer: 'Of 100 requests, 95 are faster than the p95 and 99 are faster than the p99.',
  },
  {
    title: 'Weekend plan for Lisbon',
    question: 'Two days in Lisbon with children, no museums.',
    answer: 'Saturday: the aquarium and the riverside. Sunday: tram 28 and the castle garden.',
  },
]
