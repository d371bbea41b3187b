import { z } from 'zod'
import { call, nothing } from '../ipc-call.ts'
import type { BrokenCache } from './broken-cache.ts'
import type { LookedRule } from './look-only.ts'
import type { RuleProofs } from './session-proof.ts'
import type { ShownSession } from './session-page.ts'
import type { SessionRow } from './session.ts'

/** Sessions of coding agents, and those whose cache broke in the last day. */
export const sessionCalls = {
  'sessions:list': call(z.strictObject({ limit: z.int().min(1).max(1_000) })).returns<
    SessionRow[]
  >(),
  /** Resolves to null when the ledger has no such session. */
  'sessions:get': call(
    z.strictObject({ id: z.string(), steps: z.int().min(1) }),
  ).returns<ShownSession | null>(),
  /** A null model ends the pin. */
  'sessions:pin': call(
    z.strictObject({ id: z.string(), model: z.string().nullable() }),
  ).returns<void>(),
  /** Resolves to JSON. */
  'sessions:export': call(z.strictObject({ id: z.string() })).returns<string>(),
  'sessions:delete': call(z.strictObject({ id: z.string() })).returns<void>(),
  'sessions:broken': call(nothing).returns<BrokenCache[]>(),
  /** What rules would have saved, for routers where one would have. */
  'sessions:rules': call(nothing).returns<LookedRule[]>(),
  /** What is known so far, for routers that compare their rules. */
  'sessions:proofs': call(nothing).returns<RuleProofs>(),
}
