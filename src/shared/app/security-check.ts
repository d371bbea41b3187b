/** One attack on the running instance, by `modelport doctor --security` and Settings, Diagnostics. */
export interface SecurityCheck {
  check: string
  tried: string
  seen: string
  /** `not_applicable`: this installation has no such part. */
  status: 'ok' | 'failed' | 'not_applicable'
}
