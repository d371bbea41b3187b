/**
 * Refused web origins whose requests had a key, so that the user can allow them with one click. Any page can make a
 * browser send such requests from any number of origins, so the list is bounded and reported at most once a
 * second.
 */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { webOriginSchema } from '../../shared/app/setting-schemas.ts'
import type { Workspace } from './workspace.ts'

const mostOrigins = 8
/** New origins per hour; further ones are refused without being listed. */
const mostNews = 24
const hourMs = 3_600_000
const quietMs = 1_000

export interface RefusedOriginsOptions {
  dataDir: string
  now: () => number
  allowedOrigins: () => readonly string[]
  /** Called with the list, newest first, and the new origins, some time after a change. */
  onNews: (origins: readonly string[], added: readonly string[]) => void
  /** Called when the list for the command line could not be written. */
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

  /** Refused origins, newest first. */
  list(): readonly string[] {
    return this.#origins
  }

  /** @param origin  as the browser sent it; `null`, which cannot be allowed, is ignored */
  add(origin: string): void {
    if (this.#origins.includes(origin) || !webOriginSchema.safeParse(origin).success) return
    if (!this.#isNewsToTell()) return
    this.#origins = [origin, ...this.#origins].slice(0, mostOrigins)
    this.#added.push(origin)
    this.#tell()
  }

  /** Removes origins that are allowed by now. */
  settingsChanged(): void {
    const allowed = this.#options.allowedOrigins()
    const left = this.#origins.filter((origin) => !allowed.includes(origin))
    if (left.length === this.#origins.length) return
    this.#origins = left
    this.#tell()
  }

  /** Deletes the file, which would be outdated without a service. */
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

/** The origins that a running service of the folder refused, newest first. */
export async function readRefusedOrigins(dataDir: string): Promise<string[]> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(noteFile(dataDir), 'utf8')))
  } catch {
    // No service runs, or it refused none.
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

const allowOrigin = 'if you trust it, see: modelport settings get allowedOrigins'

/** The refused origins of a service, in its log and its events. */
export function createRefusedOrigins(
  { configuration, events, log, now }: Workspace,
  dataDir: string,
): RefusedOrigins {
  const refused = new RefusedOrigins({
    dataDir,
    now,
    allowedOrigins: () => configuration.current().settings.allowedOrigins,
    onNews(origins, added) {
      events.emit('refused-origins', origins)
      for (const origin of added) log.noted('web origin refused', { origin, wayOut: allowOrigin })
    },
    onError: (error) => log.failed('refused origins', error),
  })
  configuration.onChange(() => refused.settingsChanged())
  return refused
}
