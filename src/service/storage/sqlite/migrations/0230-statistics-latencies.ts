import type { Database } from 'better-sqlite3'

/** The latency averages in `model_statistics` move from the key `paces` to `latencies`. */
export function statisticsLatencies(db: Database): void {
  db.exec(`
    UPDATE model_statistics
    SET statistics = json_remove(
      json_set(statistics, '$.latencies', json_extract(statistics, '$.paces')), '$.paces')
    WHERE json_type(statistics, '$.paces') IS NOT NULL;
  `)
}
