/** Whether the database can be written, and whether it is intact. */
export interface StorageState {
  /** Present while new requests are refused; everything can still be read. */
  outage: {
    problem: 'disk_full' | 'read_only' | 'error'
    /** Sentence for the user; it names the file. */
    message: string
    sinceMs: number
    /** Whether requests in progress are still recorded, in the space kept for a full disk. */
    canStoreRows: boolean
  } | null
  /** Damage that a check found; null while none has found any. */
  damage: {
    /** The problem in SQLite's words. */
    problem: string
    foundAtMs: number
  } | null
}
