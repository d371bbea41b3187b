/**
 * The environment of the model's process: the variables that Node.js, the system's libraries and GPU drivers
 * read. Everything else is left out, above all provider keys and the vault's passphrase.
 */
const names: ReadonlySet<string> = new Set([
  // Programs, homes and temporary files.
  'PATH',
  'HOME',
  'TMPDIR',
  'TMP',
  'TEMP',
  'LANG',
  'TZ',
  'XDG_RUNTIME_DIR',
  'XDG_CACHE_HOME',
  'LD_LIBRARY_PATH',
  // Windows cannot load its libraries without these.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'PROGRAMFILES',
  'PROGRAMDATA',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
])
const prefixes = ['LC_', 'CUDA_', 'NVIDIA_', 'VK_', 'HIP_', 'HSA_', 'ROCR_', 'GGML_', 'OMP_']

/** A file is not trusted, and its head becomes JavaScript values: 512 MiB. The weights are outside of this memory. */
export const modelProcessOptions = ['--max-old-space-size=512'] as const

/** Names are compared without case, as on Windows. */
export function modelProcessEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const inherited: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    const upper = name.toUpperCase()
    const isInherited = names.has(upper) || prefixes.some((prefix) => upper.startsWith(prefix))
    if (isInherited && value !== undefined) inherited[name] = value
  }
  return inherited
}
