/**
 * Attacks the running instance as a web page, another program, another computer and a thief of its files would, and
 * says what was tried and seen. It changes no configuration and needs no API key.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecurityCheck } from '../../../shared/app/security-check.ts'
import { newApiKey } from '../../api-key-format.ts'
import type { SecurityTarget } from './attack.ts'
import { tryStolenAuthority } from './authority-check.ts'
import {
  tryOtherAddresses,
  tryOversize,
  trySlowClients,
  tryTlsVersions,
} from './connection-attacks.ts'
import { checkFileModes, checkKeyInFiles } from './file-checks.ts'
import { checkFuses, packagedBinary } from './fuses.ts'
import { tryKeyInAddress, tryPlainHttp, tryWithoutKey, tryWrongKey } from './key-attacks.ts'
import { tryForeignHosts, tryForeignOrigins } from './web-attacks.ts'

export interface SecurityOptions {
  dataDir: string
  /** The running instance's address. */
  url: string
  allowedHosts: readonly string[]
  /** Whether the operator opened the endpoint to the network. */
  isOnNetwork?: boolean | undefined
  /** How long a slow client may stay connected; the endpoint's own limits end it after 12 s. */
  slowLimitMs?: number | undefined
}

type Attack = (target: SecurityTarget) => Promise<SecurityCheck>

const attacks: readonly Attack[] = [
  tryForeignHosts,
  tryForeignOrigins,
  tryWithoutKey,
  tryWrongKey,
  tryKeyInAddress,
  tryPlainHttp,
  trySlowClients,
  tryOversize,
  tryTlsVersions,
  tryOtherAddresses,
  tryStolenAuthority,
  checkFileModes,
  () => checkFuses(packagedBinary()),
]

/** Above the limits of `http/sockets/endpoint.ts`: 10 s for headers, checked every second, and a handshake before. */
const defaultSlowLimitMs = 14_000

export async function examineSecurity(options: SecurityOptions): Promise<SecurityCheck[]> {
  const { dataDir, url, allowedHosts, isOnNetwork = false } = options
  const target: SecurityTarget = {
    dataDir,
    port: Number(new URL(url).port),
    ca: await readFile(join(dataDir, 'tls', 'ca.pem'), 'utf8'),
    allowedHosts,
    isOnNetwork,
    canaryKey: newApiKey(),
    slowLimitMs: options.slowLimitMs ?? defaultSlowLimitMs,
  }
  const checks = await Promise.all(attacks.map((attack) => attack(target)))
  return [...checks, await checkKeyInFiles(target)]
}
