/** The bill of a vendor beside the ledger's figures: what a comparison takes, and what it finds. */
import { z } from 'zod'
import type { DatedPrice } from '../models/dated-price.ts'

/** Bytes of all files of one comparison. */
export const greatestBillBytes = 64 * 1024 * 1024
const mostFiles = 64

const day = z.iso.date('Enter a day such as 2026-11-01')

export const reconcileOptionsSchema = z.strictObject({
  /** Only requests of this provider; otherwise those of all providers of the bill's vendor. */
  providerId: z.string().min(1).optional(),
  /** First and last day that count, in the bill's time zone; otherwise the days of the bill. */
  from: day.optional(),
  to: day.optional(),
  /** IANA name of the zone in which the bill's days begin; UTC if absent. */
  timeZone: z
    .string()
    .refine(isTimeZone, 'Enter a time zone such as UTC or America/Los_Angeles')
    .optional(),
})
export type ReconcileOptions = z.output<typeof reconcileOptionsSchema>

export const reconcileInputSchema = z.strictObject({
  ...reconcileOptionsSchema.shape,
  files: z
    .array(z.strictObject({ name: z.string().min(1).max(255), bytes: z.instanceof(Uint8Array) }))
    .min(1, 'Choose at least one file')
    .max(mostFiles, `Choose ${mostFiles} files or fewer`),
})

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Parts of a bill. `cacheWrite` lasts five minutes, or whatever the vendor's only time is. */
export const billClasses = [
  'input',
  'cacheRead',
  'cacheWrite',
  'cacheWrite1h',
  'output',
  'audio',
  'image',
  'reasoning',
  'webSearch',
  'codeExecution',
  'storage',
  'other',
] as const
export type BillClass = (typeof billClasses)[number]

export const billTiers = ['standard', 'batch', 'flex', 'priority'] as const
export type BillTier = (typeof billTiers)[number]

export type CauseKind =
  /** Requests in the bill that did not pass through Modelport. */
  | 'foreign'
  /** Modelport's price differs from a day on. */
  | 'price'
  | 'cacheWrites'
  | 'cacheReads'
  /** A class that Modelport does not meter, or not at its own price. */
  | 'class'
  /** Batch, flex or priority processing. */
  | 'tier'
  /** Requests around midnight, or days that begin at another hour. */
  | 'border'
  /** The bill ends or begins within the day. */
  | 'partialDay'
  /** The provider reported no tokens, so Modelport estimated them. */
  | 'estimated'
  /** One request asked several models; its cost is at the one that answered. */
  | 'severalModels'
  /** Credits, discounts and refunds. */
  | 'credit'
  | 'rounding'
  /** The tokens differ, but neither the bill nor Modelport has a price for them: `usd` is 0. */
  | 'noPrice'

export interface Cause {
  kind: CauseKind
  /** Its part of the difference; negative when Modelport counted more. */
  usd: number
  /** `foreign`: requests of the bill that the ledger does not have; null if the bill does not count them. */
  requests?: number | null
  /** `class`: the class, and the bill's own words for it. */
  billClass?: BillClass
  label?: string | null
  /** `tier` */
  tier?: BillTier
  /** `price`: the first day, and the last one if it ended; the bill's price per price of Modelport. */
  from?: string
  until?: string | null
  ratio?: number
}

export interface BillTokens {
  input: number
  cacheRead: number
  cacheWrite: number
  output: number
}

export interface ReconciledFigures {
  usd: number
  /** Null if the bill does not count them. */
  requests: number | null
  tokens: BillTokens | null
}

/** A model on a day. */
export interface ReconciledLine {
  /** In the bill's time zone. */
  day: string
  /** Modelport's id; the bill's own name for a model that no provider has; empty for costs without a model. */
  model: string
  theirs: ReconciledFigures
  /** The bill has only tokens here: its cost is computed with Modelport's price. */
  isPriced: boolean
  ours: ReconciledFigures
  differenceUsd: number
  causes: Cause[]
  /** The rest of the difference. */
  unexplainedUsd: number
}

/** A price that a bill shows; its other fields are what corrects it. */
export interface PriceFinding extends DatedPrice {
  /** The first day, in the bill's time zone. */
  from: string
  /** Modelport's price now. */
  before: Pick<DatedPrice, 'inputUsdPerMtok' | 'outputUsdPerMtok'>
}

export interface BillProblem {
  file: string
  /** From 1; in JSON the line on which the value begins. */
  line: number
  reason: string
}

export interface ReadFile {
  name: string
  /** Name of the format. */
  format: string
  rows: number
}

export interface Reconciliation {
  timeZone: string
  from: string
  to: string
  files: ReadFile[]
  /** By day, then by the size of the difference. */
  lines: ReconciledLine[]
  total: {
    theirsUsd: number
    oursUsd: number
    differenceUsd: number
    unexplainedUsd: number
  }
  /** Prices that the bill shows to be in force, where Modelport's differ now. */
  prices: PriceFinding[]
  /** The first rows that could not be read, and how many there were. */
  problems: BillProblem[]
  problemCount: number
  /** Rows that an earlier file had as well; counted once. */
  duplicates: number
  /** The bill's days begin this many minutes before UTC's, if that differs from the chosen zone; else null. */
  offsetMinutes: number | null
}
