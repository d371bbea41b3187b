/** The stores of this computer that can trust Modelport's certificate authority. */
import { z } from 'zod'

export const trustChangeSchema = z.strictObject({
  /** The id of a store. */
  store: z.string().min(1).max(200),
  isTrusted: z.boolean(),
})

export interface TrustStoreState {
  /** `system`, `chromium`, `chromium-snap`, or `firefox-` with the profile's name. */
  id: string
  name: string
  isTrusted: boolean
  /** An authority that was replaced is still in this store. */
  hasOutdated: boolean
  /** The commands that Modelport runs, as they are typed in a terminal. */
  trustCommands: readonly string[]
  untrustCommands: readonly string[]
  /** Why Modelport cannot run them: they need an administrator, or NSS's `certutil` is not installed. */
  obstacle: 'administrator' | 'no_certutil' | null
}

export interface TrustState {
  /** Fingerprint as trust stores show it: `AB:CD:…`. */
  fingerprint: string
  createdAtMs: number
  /** A store trusts only an authority that this one replaced. */
  mustTrustAgain: boolean
  stores: readonly TrustStoreState[]
}
