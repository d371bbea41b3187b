/** Calls that a key's owner did not expect: docs/decisions/2026-11-23-unexpected-calls.md. */

import { z } from 'zod'

/** Kinds of callers of a key: a program, an address and a router that it has not been used with. */
export const callerKinds = ['program', 'address', 'router'] as const
export type CallerKind = (typeof callerKinds)[number]

/** An amount of today far above that of the four weeks before. */
export const spikeKinds = ['refusals', 'spend'] as const
export type SpikeKind = (typeof spikeKinds)[number]

const unexpectedKinds = [...callerKinds, ...spikeKinds] as const
export type UnexpectedKind = (typeof unexpectedKinds)[number]

/** An unusual use of a key or a router, until the user marks it as expected. */
export interface UnexpectedCall {
  ownerKind: 'key' | 'router'
  ownerId: string
  kind: UnexpectedKind
  firstAtMs: number
  lastAtMs: number
  /** The newest program, address or router's id; null for a spike. */
  value: string | null
  /** Further new ones before it. */
  others: number
  /** The day's refusals or US dollars in a spike; null for the other kinds. */
  amount: number | null
  /** Amount of the second-highest day of the four weeks before a spike; null for the other kinds. */
  usual: number | null
}

/** One that just happened. */
export interface UnexpectedCallNews {
  owner: { kind: UnexpectedCall['ownerKind']; id: string; name: string }
  kind: UnexpectedKind
}

export const dismissalSchema = z.strictObject({
  ownerId: z.string().min(1),
  /** Absent for all kinds. */
  kind: z.enum(unexpectedKinds).optional(),
})
export type Dismissal = z.output<typeof dismissalSchema>

/** An address of this computer; all its forms are one. */
export const thisComputer = 'localhost'
