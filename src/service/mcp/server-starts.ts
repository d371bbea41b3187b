/** What starting a server means on this computer, and whether the user consented to exactly that. */
import { homedir } from 'node:os'
import type { ListedServer, ServerConfig } from '../../shared/chat/tools.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import type { SecretStore } from '../secrets/secret-store.ts'
import type { StoredServer } from '../storage/mcp-store.ts'
import type { Target } from './connection.ts'
import { identityOf, type Consents } from './consents.ts'
import { findCommand, loginShellPath, serverEnvironment } from './find-command.ts'
import type { CreateFetch } from './limited-fetch.ts'
import { openServerSecrets, secretValuesSchema, type ServerSecrets } from './server-secrets.ts'
import { SignIn, type SignInOptions } from './sign-in.ts'

export interface ServerStartsOptions {
  consents: Consents
  secrets: SecretStore
  env: Readonly<Record<string, string | undefined>>
  createFetch: CreateFetch
}

export class ServerStarts {
  readonly #options: ServerStartsOptions
  #path: Promise<string> | null = null

  constructor(options: ServerStartsOptions) {
    this.#options = options
  }

  async look({
    id,
    config,
  }: StoredServer): Promise<Pick<ListedServer, 'resolved' | 'identity' | 'hasConsent'>> {
    const resolved = await this.#resolve(config)
    const identity = identityOf(id, config, resolved)
    const hasConsent = resolved !== null && this.#options.consents.has(id, identity)
    return { resolved, identity, hasConsent }
  }

  /** @throws DashboardError conflict when it is no longer what the window showed */
  async consent(server: StoredServer, identity: string): Promise<void> {
    const current = await this.look(server)
    if (current.resolved === null || current.identity !== identity) {
      throw new DashboardError('conflict', 'What would start has changed. Look at it again.')
    }
    await this.#options.consents.give(server.id, identity)
  }

  withdraw(id: string): Promise<void> {
    return this.#options.consents.withdraw(id)
  }

  /**
   * What to start or to connect to.
   * @param signIn  by default what is stored of an earlier sign-in. @throws DashboardError without a consent to exactly that
   */
  async target(server: StoredServer, signIn?: SignIn): Promise<Target> {
    const { name, config, isOn } = server
    const { resolved, hasConsent } = await this.look(server)
    if (!isOn) throw new DashboardError('conflict', `The server “${name}” is off.`)
    if (resolved === null) {
      throw new DashboardError('not_found', 'The command is not on this computer.')
    }
    if (!hasConsent) {
      const message = `The server “${name}” needs your consent in Settings, Tools.`
      throw new DashboardError('conflict', message)
    }
    const values = await this.#values(server)
    if (config.kind === 'http') {
      const { createFetch } = this.#options
      const used = signIn ?? (await this.#earlierSignIn(server))
      return { kind: 'http', url: config.url, headers: values, signIn: used, createFetch }
    }
    const env = serverEnvironment(this.#options.env, await this.#shellPath(), values)
    const { args, cwd } = config
    return { kind: 'stdio', command: resolved, args, cwd: cwd ?? homedir(), env }
  }

  signInTo(
    server: StoredServer,
    options: Pick<SignInOptions, 'redirectUrl' | 'openBrowser'>,
  ): SignIn {
    return new SignIn({ ...options, secrets: this.secretsOf(server) })
  }

  secretsOf({ id, config }: StoredServer): ServerSecrets {
    const place = config.kind === 'http' ? new URL(config.url).origin : 'stdio'
    return openServerSecrets(this.#options.secrets, id, place)
  }

  /** Uses and refreshes tokens, and opens no browser. */
  async #earlierSignIn(server: StoredServer): Promise<SignIn | undefined> {
    const signIn = this.signInTo(server, { redirectUrl: null, openBrowser: async () => {} })
    return (await signIn.hasTokens()) ? signIn : undefined
  }

  async #values(server: StoredServer): Promise<Record<string, string>> {
    const { secretNames } = server.config
    if (secretNames.length === 0) return {}
    const stored = await this.secretsOf(server).read('values')
    const values = secretValuesSchema.safeParse(stored).data ?? {}
    const missing = secretNames.find((name) => values[name] === undefined)
    if (missing === undefined) return values
    throw new DashboardError(
      'secrets_unavailable',
      `The value of ${missing} is no longer stored. Delete the server and add it again.`,
    )
  }

  /** The absolute path of the program, or the address; null when there is no such program. */
  async #resolve(config: ServerConfig): Promise<string | null> {
    if (config.kind === 'http') return config.url
    const path = await this.#shellPath()
    const { env } = this.#options
    return await findCommand(config.command, { cwd: config.cwd ?? homedir(), path, env })
  }

  #shellPath(): Promise<string> {
    return (this.#path ??= loginShellPath(this.#options.env))
  }
}
