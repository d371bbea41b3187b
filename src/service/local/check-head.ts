/**
 * Checks the head of a model file (GGUF): whether all that it announces is in the file. llama.cpp's parser believes
 * every count, and reads zeros after the file's end.
 * @see https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** The longest heads of published models, with 262,144 tokens and their merges, have some 20 MB. */
const mostBytes = 128 * 2 ** 20
const mostValues = 8_000_000
/** No published file nests arrays. */
const mostNesting = 4
/** llama.cpp knows four. */
const mostDimensions = 8
const windowBytes = 2 ** 16

/** Bytes of each type of value; texts and arrays have their own length. */
const valueBytes = [1, 1, 2, 2, 4, 4, 4, 1, null, null, 8, 8, 8] as const
const textType = 8
const arrayType = 9

class DamagedHead extends Error {
  override readonly name = 'DamagedHead'
}

/** @throws Error when the head is damaged or too large. Synchronous, for the model's process. */
export function checkHead(path: string): void {
  const file = openSync(path, 'r')
  try {
    const head = new Head(file)
    // Of its four letters, `isModelFile` judges.
    head.skip(4)
    const version = head.count32()
    if (version !== 2 && version !== 3) throw new DamagedHead('unknown version')
    const tensors = head.count()
    const values = head.count()
    for (let at = 0; at < values; at += 1) {
      head.skipText()
      skipValues(head, { type: head.count32(), count: 1, nesting: 0 })
    }
    for (let at = 0; at < tensors; at += 1) skipTensor(head)
  } finally {
    closeSync(file)
  }
}

interface Values {
  type: number
  count: number
  nesting: number
}

function skipValues(head: Head, { type, count, nesting }: Values): void {
  if (nesting > mostNesting) throw new DamagedHead('nested too deeply')
  const bytes = valueBytes[type]
  if (bytes === undefined) throw new DamagedHead('unknown type of value')
  head.countValues(count)
  if (bytes !== null) {
    head.skip(bytes * count)
    return
  }
  for (let at = 0; at < count; at += 1) {
    if (type === textType) head.skipText()
    if (type === arrayType) {
      skipValues(head, { type: head.count32(), count: head.count(), nesting: nesting + 1 })
    }
  }
}

function skipTensor(head: Head): void {
  head.countValues(1)
  head.skipText()
  const dimensions = head.count32()
  if (dimensions > mostDimensions) throw new DamagedHead('too many dimensions')
  const typeBytes = 4
  const offsetBytes = 8
  head.skip(dimensions * 8 + typeBytes + offsetBytes)
}

/** A place in the file, which only moves forward. */
class Head {
  readonly #file: number
  readonly #endBytes: number
  #window = Buffer.alloc(0)
  #windowAt = 0
  #at = 0
  #values = 0

  constructor(file: number) {
    this.#file = file
    this.#endBytes = Math.min(fstatSync(file).size, mostBytes)
  }

  skip(bytes: number): void {
    this.#at += bytes
    if (this.#at > this.#endBytes) throw new DamagedHead('longer than the file')
  }

  skipText(): void {
    this.skip(this.count())
  }

  count32(): number {
    return this.#take(4).readUInt32LE()
  }

  /** Inexact above 2^53, which is beyond every limit. */
  count(): number {
    return Number(this.#take(8).readBigUInt64LE())
  }

  countValues(count: number): void {
    this.#values += count
    if (this.#values > mostValues) throw new DamagedHead('too many values')
  }

  #take(bytes: number): Buffer {
    const from = this.#at
    this.skip(bytes)
    if (this.#at > this.#windowAt + this.#window.length) {
      this.#window = Buffer.alloc(windowBytes)
      this.#windowAt = from
      readSync(this.#file, this.#window, 0, windowBytes, from)
    }
    return this.#window.subarray(from - this.#windowAt, this.#at - this.#windowAt)
  }
}
