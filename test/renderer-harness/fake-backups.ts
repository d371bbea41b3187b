import type { BackupCopy, BackupKind } from '../../src/shared/app/backups.ts'
import { found, type HandlersOf } from './handlers.ts'
import type { Scene } from './scene.ts'

const hourMs = 3_600_000

/** Copies of several days and kinds; the first start has none. */
export function backupHandlers(scene: Scene): HandlersOf<`backups:${string}`> {
  const nowMs = Date.UTC(2026, 10, 22, 18)
  const current = {
    routers: scene.routers.length,
    keys: scene.keys.length,
    requests: 12_480,
    conversations: scene.conversations.length,
  }
  const copy = (kind: BackupKind, ageHours: number): BackupCopy => ({
    name: `backups/${kind}-${ageHours}.db`,
    kind,
    createdAtMs: nowMs - ageHours * hourMs,
    bytes: 21_000_000 - ageHours * 40_000,
    counts: kind === 'damaged' ? null : { ...current, requests: 12_480 - ageHours * 61 },
    canRestore: kind !== 'damaged',
  })
  let copies =
    scene.keys.length === 0
      ? []
      : [
          copy('manual', 1),
          copy('before_restore', 3),
          copy('damaged', 3.5),
          ...[9, 33, 57, 81].map((hours) => copy('daily', hours)),
          copy('before_upgrade', 90),
        ]
  const named = (name: string) =>
    found(
      copies.map((one) => ({ ...one, id: one.name })),
      name,
    )
  return {
    'backups:list': () => ({ current, copies }),
    'backups:create': () => {
      const made = copy('manual', 0)
      copies = [made, ...copies]
      return made
    },
    'backups:save-as': () => ({ file: '/home/user/modelport-2026-11-22.db' }),
    'backups:reveal': ({ name }) => void named(name),
    'backups:remove': ({ name }) => {
      const { id } = named(name)
      copies = copies.filter((one) => one.name !== id)
    },
    'backups:restore': ({ name }) => void named(name),
  }
}
