/** Checks the endpoint's certificates on the disk. Only the service creates or renews them. */
import { X509Certificate, createPrivateKey } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from './finding.ts'
import { asFileProblem, FileProblem } from '../data-folder/file-errors.ts'

interface Question {
  dataDir: string
  nowMs: number
  /** Whether a service runs, which renews certificates when they are due. */
  isServed: boolean
}

const check = 'certificate'
const dayMs = 86_400_000
/** Each a private key with its certificate. */
const identities = ['ca-key.pem', 'server.pem', 'named.pem']

/** @throws never */
export function examineCertificate({ dataDir, nowMs, isServed }: Question): Finding {
  const folder = join(dataDir, 'tls')
  const missing = identities.filter((name) => !existsSync(join(folder, name)))
  if (missing.length > 0) {
    const message = `There is no ${missing.map((name) => join('tls', name)).join(', ')} yet.`
    return { check, status: 'warn', message, wayOut: '"modelport serve" creates it.' }
  }
  const open = identities.filter((name) => isOpenToOthers(join(folder, name)))
  if (open.length > 0) {
    const message = `Other users of this computer can read ${open.join(', ')}: these hold private keys.`
    return { check, status: 'fail', message, wayOut: `chmod -R go= ${folder}` }
  }
  const wayOut = isServed
    ? 'Restart the service: it renews damaged and expired certificates.'
    : renewed
  try {
    return examineDates({ ...readChain(folder), nowMs, wayOut })
  } catch (error) {
    if (error instanceof FileProblem) {
      return { check, status: 'fail', message: error.message, wayOut: null }
    }
    // OpenSSL's message does not help, and the fix is always the same.
    return { check, status: 'fail', message: 'A file in tls/ is damaged.', wayOut }
  }
}

const renewed = '"modelport serve" renews it.'

/** Whether other users can read the file. Windows has no such modes. */
function isOpenToOthers(file: string): boolean {
  return process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
}

interface Chain {
  leaves: X509Certificate[]
  authority: X509Certificate
}

/** @throws Error when a file is damaged, a key is not its certificate's, or the signer is another */
function readChain(folder: string): Chain {
  const [authority, ...leaves] = identities.map((name) => {
    const text = readText(join(folder, name))
    const certificate = new X509Certificate(text)
    if (!certificate.checkPrivateKey(createPrivateKey(text))) throw new Error(name)
    return certificate
  })
  if (!authority) throw new Error('no authority')
  if (!leaves.every((leaf) => leaf.verify(authority.publicKey))) throw new Error('another signer')
  return { leaves, authority }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw asFileProblem(error, file)
  }
}

function examineDates({
  leaves,
  authority,
  nowMs,
  wayOut,
}: Chain & { nowMs: number; wayOut: string }): Finding {
  const firstDay = Math.max(...leaves.map(({ validFrom }) => Date.parse(validFrom)))
  const lastDay = Math.min(...leaves.map(({ validTo }) => Date.parse(validTo)))
  if (nowMs < firstDay) {
    const message = `It is not valid before ${new Date(firstDay).toISOString()}.`
    return { check, status: 'fail', message, wayOut: 'Set the clock of this computer.' }
  }
  const days = Math.floor((lastDay - nowMs) / dayMs)
  if (days < 0) {
    const status = wayOut === renewed ? 'warn' : 'fail'
    return { check, status, message: `It expired ${-days} days ago.`, wayOut }
  }
  const authorityDays = Math.floor((Date.parse(authority.validTo) - nowMs) / dayMs)
  const message = `It is valid for ${days} more days, its authority for ${authorityDays}.`
  return { check, status: 'ok', message, wayOut: null }
}

/** Operators renew their certificates this long before the end at the latest. */
const earlyDays = 14

/** The operator's own certificate, which Modelport cannot renew. @throws never */
export function examineCertificateFile(file: string, nowMs: number): Finding {
  const own = 'server certificate'
  const wayOut = `Renew it: write the new certificate into ${file}, and its key into the file beside it.`
  try {
    const { validTo } = new X509Certificate(readText(file))
    const days = Math.floor((Date.parse(validTo) - nowMs) / dayMs)
    if (days < 0) {
      return { check: own, status: 'fail', message: `It expired ${-days} days ago.`, wayOut }
    }
    const message = `It is valid for ${days} more days.`
    if (days < earlyDays) return { check: own, status: 'warn', message, wayOut }
    return { check: own, status: 'ok', message, wayOut: null }
  } catch (error) {
    const message =
      error instanceof FileProblem ? error.message : `The file ${file} has no certificate.`
    return { check: own, status: 'fail', message, wayOut }
  }
}
