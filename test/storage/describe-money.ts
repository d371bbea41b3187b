/** The hourly check of money finds every damage that is planted behind the service's back. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { MoneyEvidence } from '../../src/shared/requests/finding.ts'
import { moneyEvidenceSchema } from '../../src/shared/requests/finding.ts'
import { ledgerColumns } from '../../src/service/storage/sql/ledger-row.ts'
import type { Storage } from '../../src/service/storage/storage.ts'
import { checkMoney } from '../../src/service/upkeep/money-check.ts'
import { sampleDetail, sampleRecord } from './samples.ts'

interface DamagedEngine {
  name: string
  open(): Promise<{ storage: Storage; execute(sql: string): Promise<unknown> }>
}

const hourMs = 3_600_000
const nowMs = Date.UTC(2026, 10, 21, 12, 30)
const owner = { kind: 'router', id: 'router_a', spenderIds: ['router_a'] } as const
const inHour = `start_ms >= ${nowMs - 2 * hourMs} AND start_ms < ${nowMs}`
const copied = ledgerColumns.map(({ name }) => name)

interface Damage {
  what: string
  sql: readonly string[]
  finds: MoneyEvidence['check']
}

const one = `WHERE id = 'request-7'`
const insertCopy = `INSERT INTO requests (${copied.join(', ')})
  SELECT ${copied.map((name) => (name === 'id' ? `'copy'` : name)).join(', ')} FROM requests ${one}`

const damages: readonly Damage[] = [
  { what: 'a row is deleted', sql: [`DELETE FROM requests ${one}`], finds: 'totals' },
  { what: 'a row is doubled', sql: [insertCopy], finds: 'totals' },
  {
    what: 'a cost changes by one nano-dollar',
    sql: [`UPDATE requests SET cost_nano_usd = cost_nano_usd + 1 ${one}`],
    finds: 'totals',
  },
  {
    what: 'the tokens of a row change',
    sql: [`UPDATE requests SET detail = replace(detail, '"reported",10', '"reported",11') ${one}`],
    finds: 'totals',
  },
  {
    what: 'the model of a row changes',
    sql: [`UPDATE requests SET model_used = 'openai:gpt-5-mini' ${one}`],
    finds: 'totals',
  },
  {
    what: 'a row moves to another minute',
    sql: [`UPDATE requests SET started_at_ms = started_at_ms - 60000 ${one}`],
    finds: 'totals',
  },
  {
    what: 'a minute is off by one nano-dollar',
    sql: [
      `UPDATE usage_rollups SET cost_nano_usd = cost_nano_usd + 1 WHERE length_ms = 60000 AND ${inHour}`,
    ],
    finds: 'totals',
  },
  {
    what: 'an hour is deleted',
    sql: [`DELETE FROM usage_rollups WHERE length_ms = ${hourMs} AND ${inHour}`],
    finds: 'totals',
  },
  {
    what: 'a day is shifted',
    sql: [
      `UPDATE usage_rollups SET start_ms = start_ms + ${24 * hourMs} WHERE length_ms = ${24 * hourMs}`,
    ],
    finds: 'totals',
  },
  {
    what: 'a day counts one request too many',
    sql: [`UPDATE usage_rollups SET requests = requests + 1 WHERE length_ms = ${24 * hourMs}`],
    finds: 'totals',
  },
  {
    what: 'a budget is off by one nano-dollar',
    sql: [
      `UPDATE requests SET cost_nano_usd = cost_nano_usd - 1 ${one}`,
      `UPDATE usage_rollups SET cost_nano_usd = cost_nano_usd - 1 WHERE length_ms > 60000 AND ${inHour}`,
      `UPDATE usage_rollups SET cost_nano_usd = cost_nano_usd - 1
       WHERE length_ms = ${24 * hourMs} AND start_ms = ${nowMs - (nowMs % (24 * hourMs))}`,
      `UPDATE usage_rollups SET cost_nano_usd = cost_nano_usd - 1
       WHERE length_ms = 60000 AND start_ms = ${startOf(7) - (startOf(7) % 60_000)}`,
    ],
    finds: 'budget',
  },
  {
    what: 'a row loses its price',
    sql: [
      `UPDATE requests SET detail = replace(detail, ',20,null,1,2,', ',20,null,null,2,') ${one}`,
    ],
    finds: 'price',
  },
  {
    what: 'an answered request lost its row and its part of all totals',
    sql: ['DELETE FROM requests', 'DELETE FROM usage_rollups'],
    finds: 'rows',
  },
]

function startOf(index: number): number {
  return nowMs - index * 7 * 60_000 - 90 * 60_000 + 41 * 60_000
}

export function describeMoney({ name, open }: DamagedEngine): void {
  describe(`Money checks: ${name}`, () => {
    let opened: Awaited<ReturnType<DamagedEngine['open']>>
    beforeEach(async () => {
      opened = await open()
      const { storage } = opened
      onTestFinished(() => storage.close())
      const rows = Array.from({ length: 10 }, (_, index) =>
        sampleRecord({ id: `request-${index}`, startedAtMs: startOf(index) }),
      )
      await Promise.all(rows.map((row) => storage.ledger.append(row, sampleDetail())))
      await storage.budgets.read(owner, nowMs)
    })

    const run = async (atMs = nowMs): Promise<MoneyEvidence[]> => {
      const { storage } = opened
      const errors: unknown[] = []
      await checkMoney({
        storage,
        takeAnswered: () => ['request-7', 'request-8'],
        now: () => atMs,
        onFinding: () => undefined,
        onChange: () => undefined,
        onError: (error) => errors.push(error),
      })
      expect(errors).toEqual([])
      const findings = await storage.findings.list()
      return findings.map(({ evidence }) => moneyEvidenceSchema.parse(JSON.parse(evidence)))
    }

    test('are silent while everything is equal', async () => {
      expect(await run()).toEqual([])
      expect(await run(nowMs + hourMs)).toEqual([])
    })

    test.each(damages)('find that $what', async ({ sql, finds }) => {
      for (const statement of sql) await opened.execute(statement)
      expect((await run()).map(({ check }) => check)).toContain(finds)
    })

    test('find old damage when its day’s turn comes', async () => {
      const oldMs = nowMs - 3 * 24 * hourMs
      await opened.storage.ledger.append(
        sampleRecord({ id: 'old', routerId: 'router_b', startedAtMs: oldMs }),
        sampleDetail(),
      )
      await opened.execute(`UPDATE requests SET cost_nano_usd = 1 WHERE id = 'old'`)
      let found: MoneyEvidence[] = []
      for (let hour = 0; hour < 5 && found.length === 0; hour += 1)
        found = await run(nowMs + hour * hourMs)
      expect(found).toMatchObject([
        { check: 'totals', figure: 'cost_nano_usd', counted: 1, stored: 1_500 },
        { check: 'totals', figure: 'cost_nano_usd', counted: 1, stored: 1_500 },
      ])
    })

    test('a finding goes once the totals are rebuilt, and a dismissed one stays dismissed', async () => {
      const { storage, execute } = opened
      await execute(`UPDATE requests SET cost_nano_usd = cost_nano_usd + 1 ${one}`)
      expect(await run()).not.toEqual([])
      const [first] = await storage.findings.list()
      expect(await storage.findings.dismiss(first?.id ?? '', nowMs)).toBe(true)
      await run(nowMs + hourMs)
      expect((await storage.findings.list()).find(({ id }) => id === first?.id)).toMatchObject({
        dismissedAtMs: nowMs,
        firstAtMs: nowMs,
      })
      await storage.maintenance.rebuildTotals()
      const left = await run(nowMs + 2 * hourMs)
      // The budget in memory keeps its figures until a restart.
      expect(left.filter(({ check }) => check !== 'budget')).toEqual([])
    })
  })
}
