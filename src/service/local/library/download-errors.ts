/** Why a download ended; every `message` is for the user. */

/** The download cannot continue. The received part is kept unless it is wrong. */
export class DownloadFailed extends Error {
  override readonly name: string = 'DownloadFailed'
}

/** The connection broke: the next request continues where it ended. */
export class DownloadInterrupted extends DownloadFailed {
  override readonly name = 'DownloadInterrupted'
}

/** The user or another process paused the download. */
export class DownloadPaused extends Error {
  override readonly name = 'DownloadPaused'

  constructor() {
    super('The download is paused.')
  }
}

export const differentFile =
  'The server sends a different file than the one this version of Modelport knows.'
