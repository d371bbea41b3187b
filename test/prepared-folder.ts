/**
 * Data folders with what a service makes at its first start: an empty database and certificates. Both are made once in a
 * process and copied for each test, because they take a third of a start. The tests of the storage, of the certificates and
 * of the command line begin with an empty folder.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCertificates } from '../src/service/http/sockets/tls.ts'
import { openStorage } from '../src/service/storage/sqlite/open-storage.ts'

/** Contents by path within the folder. */
let made: Promise<ReadonlyMap<string, Buffer>> | undefined

/** A new data folder, in which a service then starts as for the first time. */
export async function newPreparedFolder(): Promise<string> {
  made ??= makeOnce()
  const [files, dataDir] = await Promise.all([made, mkdtemp(join(tmpdir(), 'modelport-test-'))])
  await mkdir(join(dataDir, 'tls'), { mode: 0o700 })
  await Promise.all(
    [...files].map(([path, content]) => writeFile(join(dataDir, path), content, { mode: 0o600 })),
  )
  return dataDir
}

async function makeOnce(): Promise<ReadonlyMap<string, Buffer>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'modelport-prepared-'))
  try {
    const storage = await openStorage({ dataDir })
    await storage.close()
    await openCertificates({ dataDir, hosts: [], now: Date.now })
    const paths = [
      'modelport.db',
      ...(await readdir(join(dataDir, 'tls'))).map((name) => join('tls', name)),
    ]
    return new Map(
      await Promise.all(
        paths.map(async (path) => [path, await readFile(join(dataDir, path))] as const),
      ),
    )
  } finally {
    await rm(dataDir, { recursive: true })
  }
}
