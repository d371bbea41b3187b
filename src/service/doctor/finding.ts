/** What one check of `modelport doctor` found. */
export interface Finding {
  check: string
  /** `warn` works now and may fail later, or works only in part; `fail` does not work. */
  status: 'ok' | 'warn' | 'fail'
  message: string
  /** How to fix it; null when there is nothing to fix. */
  wayOut: string | null
}
