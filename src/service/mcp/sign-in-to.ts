/** Signs in to a server over HTTP in the person's browser, which returns to an address that is open for this sign-in only. */
import type { StoredServer } from '../storage/mcp-store.ts'
import type { ConnectOptions, Connection, FinishSignIn, Target } from './connection.ts'
import { limits } from './limits.ts'
import type { ServerStarts } from './server-starts.ts'
import { openSignInCallback, type SignInPages } from './sign-in-callback.ts'
import type { SignInOptions } from './sign-in.ts'

export interface SignInBrowser extends Pick<SignInOptions, 'openBrowser'> {
  pages: SignInPages
}

export type Connect = (
  target: Target,
  options: ConnectOptions,
  finish?: FinishSignIn,
) => Promise<Connection>

interface Parts {
  connect: Connect
  version: string
  starts: ServerStarts
}

/** @throws DashboardError without a consent; SignInMissing; what `openBrowser` throws; an error at the time limit */
export async function signInTo(
  server: StoredServer,
  { openBrowser, pages }: SignInBrowser,
  { connect, version, starts }: Parts,
): Promise<void> {
  const signal = AbortSignal.timeout(limits.signInMs)
  const callback = await openSignInCallback(pages, signal)
  try {
    const { redirectUrl, parameters } = callback
    const signIn = starts.signInTo(server, { redirectUrl, openBrowser })
    const target = await starts.target(server, signIn)
    const news = { onToolsChanged: () => {}, onClosed: () => {} }
    const finish = () => signIn.finish(() => parameters)
    const connection = await connect(target, { ...news, version, signal }, finish)
    await connection.close()
  } finally {
    callback.close()
  }
}
