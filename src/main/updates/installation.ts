/** A package whose hash was verified. */
export interface VerifiedPackage {
  file: string
  version: string
  /** Base64 of 64 bytes. */
  sha512: string
}

/**
 * How a downloaded package takes the place of the app; one for each kind of installation on Linux. Functions may reject
 * with any error; `toUpdateProblem` converts it.
 */
export interface Installation {
  /** Whether the system asks for a password first. */
  needsPassword: boolean
  /** Called before anything is downloaded. @throws UpdateProblem `read_only` */
  assertReplaceable(): Promise<void>
  /** Does what needs no restart. @throws the signal's reason; nothing stays beside the app then */
  prepare(verified: VerifiedPackage, signal: AbortSignal): Promise<void>
  /** Resolves when the app is about to stop. A rejection leaves the app running as it was. */
  install(): Promise<void>
  /** Deletes what `prepare` left. */
  discard(): Promise<void>
}

/** Stops the app, does the work when the service has closed, and starts the app again, also after a failure. */
export type RestartAfter = (work: () => Promise<void>) => void
