/** Rows per statement: a day's million rows take about a thousand round trips. */
const usualRows = 1_000

interface BatchOptions {
  values?: unknown[]
  rowsAtOnce?: number | undefined
}

/**
 * The rows of a SELECT, never more than `rowsAtOnce` of them in memory. Call it inside a transaction: PgBouncer in
 * transaction mode gives a transaction one server connection, and the cursor belongs to that.
 */
export async function* batchesOf<Result extends { rows: readonly unknown[] }>(
  query: (text: string, values?: unknown[]) => Promise<Result>,
  select: string,
  { values, rowsAtOnce = usualRows }: BatchOptions = {},
): AsyncGenerator<Result> {
  await query(`DECLARE batches NO SCROLL CURSOR FOR ${select}`, values)
  try {
    for (;;) {
      const batch = await query(`FETCH ${rowsAtOnce} FROM batches`)
      yield batch
      if (batch.rows.length < rowsAtOnce) return
    }
  } finally {
    // Fails in a transaction that failed, which closes the cursor too.
    await query('CLOSE batches').catch(() => null)
  }
}
