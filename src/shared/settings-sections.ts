/** The sections of the Settings page, in order. The palette and deep links use the same names. */
export const settingsSections = [
  {
    name: 'general',
    title: 'General',
    keywords: 'start login tray notifications prices models catalogue vendor cache',
  },
  {
    name: 'appearance',
    title: 'Appearance',
    keywords: 'theme dark light density compact locale numbers dates',
  },
  {
    name: 'server',
    title: 'Server',
    keywords: 'port endpoint certificate proxy origins hosts http',
  },
  {
    name: 'privacy',
    title: 'Privacy and retention',
    keywords: 'signals learn keep days retention delete',
  },
  { name: 'limits', title: 'Limits', keywords: 'body size requests in progress' },
  { name: 'data', title: 'Data', keywords: 'backup export database folder durability' },
  { name: 'shortcuts', title: 'Shortcuts', keywords: 'keyboard keys' },
  { name: 'diagnostics', title: 'Diagnostics', keywords: 'version status keychain certificate' },
] as const

export type SettingsSectionName = (typeof settingsSections)[number]['name']
