/** Clients that are libraries: a program in `clients/programs` uses each as its documentation says. */
import { copyFile, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkProgram } from './check-program.ts'
import type { Door, ErrorTypes } from './check.ts'
import type { CheckContext, Client } from './client.ts'
import { startProgram, type Program } from './program.ts'

export interface SdkClient extends Omit<Client, 'check'> {
  /** Path of the program in `clients/programs`. */
  program: string
  /** A field that the client sends although the vendor does not list it. */
  ownField?: string
  errors: Readonly<Partial<Record<Door, ErrorTypes>>>
}

export function sdkClient(sdk: SdkClient): Client {
  return {
    ...sdk,
    check: async (context) => {
      const program = await start(sdk, context)
      try {
        return await checkProgram(sdk, context.bed, program)
      } finally {
        program.close()
      }
    },
  }
}

const programs = fileURLToPath(new URL('programs/', import.meta.url))

async function start(sdk: SdkClient, { bed, installed, home }: CheckContext): Promise<Program> {
  const common = { PATH: process.env['PATH'], HOME: home }
  if (sdk.packages.from === 'PyPI') {
    return startProgram({
      command: join(installed, 'bin', 'python'),
      args: [join(programs, sdk.program)],
      cwd: home,
      env: { ...common, SSL_CERT_FILE: bed.caBundleFile, PYTHONDONTWRITEBYTECODE: '1' },
    })
  }
  // Packages are found from the program's own folder.
  await mkdir(home, { recursive: true })
  await symlink(join(installed, 'node_modules'), join(home, 'node_modules'))
  for (const file of [sdk.program, 'tasks.mjs']) {
    await copyFile(join(programs, file), join(home, file))
  }
  return startProgram({
    command: process.execPath,
    args: [join(home, sdk.program)],
    cwd: home,
    env: { ...common, NODE_EXTRA_CA_CERTS: bed.caFile },
  })
}
