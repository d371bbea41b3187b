import { Provider, type ResolvedUpdateFileInfo, type UpdateInfo } from 'electron-updater'
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js'
import type { FeedSource } from './feed-source.ts'
import { packagesFor, readSignedFeed } from './signed-feed.ts'
import { UpdateProblem } from './update-problem.ts'

/** How electron-updater reads the feed: nothing of it is used before its signature is verified. */
export class SignedFeedProvider extends Provider<UpdateInfo> {
  readonly #source: FeedSource
  readonly #extension: string

  /** @param extension  of the packages for this installation */
  constructor(source: FeedSource, extension: string, options: ProviderRuntimeOptions) {
    super(options)
    this.#source = source
    this.#extension = extension
  }

  override async getLatestVersion(): Promise<UpdateInfo> {
    const { url, publicKey } = this.#source
    const feedUrl = new URL(`${this.getDefaultChannelName()}.yml`, url)
    const text = await this.#read(feedUrl)
    const signature = await this.#read(new URL(`${feedUrl.href}.sig`))
    const feed = packagesFor(readSignedFeed(text, signature, publicKey), this.#extension)
    const [{ url: path, sha512 } = { url: '', sha512: '' }] = feed.files
    const { version, files, releaseNotes = null, releaseDate = '' } = feed
    return { version, files: [...files], path, sha512, releaseNotes, releaseDate }
  }

  override resolveFiles({ files }: UpdateInfo): ResolvedUpdateFileInfo[] {
    // oxlint-disable-next-line id-denylist -- electron-updater's name
    return files.map((file) => ({ url: new URL(file.url, this.#source.url), info: file }))
  }

  /** electron-updater would send a random id of the installation. */
  override setRequestHeaders(): void {
    super.setRequestHeaders(null)
  }

  async #read(url: URL): Promise<string> {
    const text = await this.httpRequest(url)
    if (text === null) throw new UpdateProblem('bad_feed')
    return text
  }
}
