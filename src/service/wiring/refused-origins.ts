/**
 * Web origins that were refused and came with a key, so that their user can allow them with one click.
 * Any page can make a browser send such requests, from as many origins as it has names: what is
 * remembered and told is bounded, and told no more often than once a second.
 */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { webOriginSchema } from '../../shared/settings.ts'

const mostOrigins = 8
/** New ones within an hour; what comes after them is refused just the same, in silence. */
const mostNews = 24
const hourMs = 3_600_000
const quietMs = 1_000

export interface RefusedOriginsOptions {
  dataDir: string
  now: () => number
  allowedOrigins: () => readonly string[]
  /** Told of the list, newest first, some time after it changed, and of what came to it. */
  onNews: (origins: readonly string[], added: readonly string[]) => void
  /** The list could not be written for the command line to read. */
  onError: (error: unknown) => void
}

export class RefusedOrigins {
  readonly #options: RefusedOriginsOptions
  #origins: readonly string[] = []
  #added: string[] = []
  #news = { sinceMs: 0, count: 0 }
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(options: RefusedOriginsOptions) {
    this.#options = options
  }

  /** Newest first. */
  list(): readonly string[] {
    return this.#origins
  }

  /** @param origin  as the browser sent it; one that could not be allowed (`null`) is passed over */
  add(origin: string): void {
    if (this.#origins.includes(origin) || !webOriginSchema.safeParse(origin).success) return
    if (!this.#isNewsToTell()) return
    this.#origins = [origin, ...this.#origins].slice(0, mostOrigins)
    this.#added.push(origin)
    this.#tell()
  }

  /** Takes those out that are allowed by now. */
  settingsChanged(): void {
    const allowed = this.#options.allowedOrigins()
    const left = this.#origins.filter((origin) => !allowed.includes(origin))
    if (left.length === this.#origins.length) return
    this.#origins = left
    this.#tell()
  }

  /** Leaves no note behind: who reads it without a service would be told what no longer counts. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#writing
    await rm(noteFile(this.#options.dataDir), { force: true })
  }

  #isNewsToTell(): boolean {
    const nowMs = this.#options.now()
    if (Math.abs(nowMs - this.#news.sinceMs) >= hourMs) this.#news = { sinceMs: nowMs, count: 0 }
    this.#news.count += 1
    return this.#news.count <= mostNews
  }

  #tell(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#options.onNews(this.#origins, this.#added.splice(0))
      this.#writing = this.#writing
        .then(() => writeNote(this.#options.dataDir, this.#origins))
        .catch(this.#options.onError)
    }, quietMs).unref()
  }
}

/** What a service that runs on the folder refused, newest first; empty when it refused none. */
export async function readRefusedOrigins(dataDir: string): Promise<string[]> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(noteFile(dataDir), 'utf8')))
  } catch {
    // No service runs, or it refused none: the note only helps a person.
    return []
  }
}

const noteSchema = z.array(webOriginSchema).max(mostOrigins)

function noteFile(dataDir: string): string {
  return join(dataDir, 'refused-origins.json')
}

async function writeNote(dataDir: string, origins: readonly string[]): Promise<void> {
  const draft = `${noteFile(dataDir)}.new`
  await writeFile(draft, JSON.stringify(origins), { mode: 0o600 })
  await rename(draft, noteFile(dataDir))
}
