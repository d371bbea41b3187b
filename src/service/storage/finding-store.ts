/** Findings about money and about answers, and the documents from which they are computed. */

/** A finding as stored; `evidence` is JSON. */
export interface StoredFinding {
  /** What it is about: a later report with this id replaces the evidence. */
  id: string
  kind: 'money' | 'answers'
  firstAtMs: number
  lastAtMs: number
  evidence: string
  /** The newest requests behind it. */
  requestIds: string[]
  /** Null while it is open. */
  dismissedAtMs: number | null
}

export interface FindingStore {
  /** Saves a finding; of a known one, the first time and the dismissal stay. @returns whether it is new and open */
  report(finding: Omit<StoredFinding, 'firstAtMs' | 'dismissedAtMs'>): Promise<boolean>
  /** Removes findings that are no longer true. @returns how many there were */
  resolve(ids: readonly string[]): Promise<number>
  /** All findings, also dismissed ones, the newest first. */
  list(): Promise<StoredFinding[]>
  /** @param atMs  null opens it again. @returns whether there is such a finding */
  dismiss(id: string, atMs: number | null): Promise<boolean>
  /** JSON documents whose name begins with a text. */
  documents(prefix: string): Promise<EvidenceDocument[]>
  /** Saves documents in place of those of the same names. */
  saveDocuments(documents: readonly EvidenceDocument[]): Promise<void>
}

export interface EvidenceDocument {
  name: string
  value: string
}
