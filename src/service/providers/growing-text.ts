/**
 * A text that arrives in pieces. Pieces are joined by the thousand, because a chain of pieces of one character takes
 * forty times its length, and an upstream chooses how it cuts its bytes.
 */
const piecesJoinedTogether = 1_024

export class GrowingText {
  #length = 0
  #recent: string[] = []
  #joined: string[] = []

  get length(): number {
    return this.#length
  }

  add(piece: string): void {
    if (piece === '') return
    this.#length += piece.length
    if (this.#recent.push(piece) < piecesJoinedTogether) return
    this.#joined.push(this.#recent.join(''))
    this.#recent = []
  }

  /** The whole text; a new one begins. */
  take(): string {
    if (this.#length === 0) return ''
    const whole = this.#joined.join('') + this.#recent.join('')
    this.#length = 0
    this.#recent = []
    this.#joined = []
    return whole
  }
}
