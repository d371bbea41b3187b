import { expect, test } from 'vitest'
import { installationKind, ownAppImage } from './installation-kind.ts'

const env = { APPIMAGE: '/home/user/Modelport.AppImage', APPDIR: '/tmp/.mount_Modelp1a2b3c' }

test('an app in an AppImage is updated as one file', () => {
  const appImage = ownAppImage(env, '/tmp/.mount_Modelp1a2b3c/modelport')
  expect(appImage).toBe('/home/user/Modelport.AppImage')
  expect(installationKind({ platform: 'linux', appImage, packageType: null })).toBe('appimage')
})

test.each(['/opt/Modelport/modelport', '/tmp/.mount_Modelp1a2b3c-other/modelport'])(
  'an app started from the AppImage of another program, at %s, never replaces that file',
  (execPath) => {
    const appImage = ownAppImage(env, execPath)
    expect(appImage).toBeNull()
    expect(installationKind({ platform: 'linux', appImage, packageType: null })).toBe('folder')
  },
)

test('a package of the package manager is updated by it', () => {
  const facts = { platform: 'linux', appImage: null } as const
  expect(installationKind({ ...facts, packageType: 'deb' })).toBe('deb')
})
