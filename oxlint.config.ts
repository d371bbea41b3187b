/** The linter: rules for all files, then what differs by folder. Imports: lint/import-rules.ts. */
import { defineConfig } from 'oxlint'
import { importRules } from './lint/import-rules.ts'

/** @param names  of globals, with spaces between */
function refuse(names: string, message: string) {
  return names.split(' ').map((name) => ({ name, message }))
}

/** A rule's options for one folder replace those for a wider one, so both lists contain it. */
const randomAsArgument = {
  object: 'Math',
  property: 'random',
  message: 'Chance is an argument, and ids come from node:crypto.',
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y', 'vitest'],
  options: {
    typeAware: true,
    reportUnusedDisableDirectives: 'error',
    denyWarnings: true,
  },
  ignorePatterns: ['node_modules', 'out', 'dist', 'resources', 'packaging/replaced'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
  },
  rules: {
    'import/no-unassigned-import': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'react/react-in-jsx-scope': 'off',
    eqeqeq: [
      'error',
      'always',
      {
        null: 'ignore',
      },
    ],
    complexity: ['error', 16],
    'max-depth': ['error', 3],
    'max-lines': ['error', 400],
    'max-lines-per-function': ['error', 60],
    'max-params': ['error', 3],
    'id-denylist': [
      'error',
      'info',
      'obj',
      'tmp',
      'util',
      'helper',
      'manager',
      'handler2',
      'req',
      'res',
      'cfg',
      'opts',
    ],
    'no-console': 'error',
    'no-warning-comments': [
      'error',
      {
        terms: ['todo', 'fixme', 'xxx', 'hack'],
        location: 'anywhere',
      },
    ],
    'import/no-cycle': [
      'error',
      {
        ignoreTypes: false,
      },
    ],
    'import/no-default-export': 'error',
    'import/no-self-import': 'error',
    'import/no-mutable-exports': 'error',
    'import/no-dynamic-require': 'error',
    'oxc/no-barrel-file': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/consistent-type-imports': [
      'error',
      {
        disallowTypeAnnotations: false,
      },
    ],
    'typescript/no-explicit-any': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unnecessary-condition': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/switch-exhaustiveness-check': [
      'error',
      {
        considerDefaultExhaustiveForUnions: true,
      },
    ],
    'unicorn/filename-case': [
      'error',
      {
        case: 'kebabCase',
      },
    ],
    'vitest/expect-expect': 'error',
    'vitest/no-conditional-expect': 'error',
    'vitest/no-conditional-tests': 'error',
    'vitest/no-disabled-tests': 'error',
    'vitest/no-focused-tests': 'error',
    'vitest/no-identical-title': 'error',
    'vitest/no-standalone-expect': 'error',
    'vitest/require-awaited-expect-poll': 'error',
    'vitest/valid-expect': 'error',
    'vitest/valid-title': [
      'error',
      {
        ignoreTypeOfDescribeName: true,
      },
    ],
    'vitest/warn-todo': 'error',
    'vitest/no-commented-out-tests': 'error',
    'typescript/unbound-method': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'typescript/consistent-return': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'jsx-a11y/no-noninteractive-tabindex': [
      'error',
      {
        tags: [],
        roles: ['region', 'tabpanel'],
      },
    ],
    'react/exhaustive-effect-dependencies': 'off',
  },
  overrides: [
    ...importRules,
    {
      files: ['src/service/**', 'src/main/**'],
      excludeFiles: ['**/*.test.ts', '**/describe-*.ts'],
      rules: {
        'unicorn/require-post-message-target-origin': 'off',
        'no-restricted-globals': [
          'error',
          {
            checkGlobalObject: true,
            globals: [
              ...refuse(
                'fetch XMLHttpRequest WebSocket EventSource',
                'Connections are opened by openConnection (shared/app/open-connection.ts).',
              ),
            ],
          },
        ],
      },
    },
    {
      files: ['src/service/**'],
      excludeFiles: ['**/*.test.ts', '**/describe-*.ts'],
      rules: {
        'no-restricted-properties': ['error', randomAsArgument],
      },
    },
    {
      files: ['src/service/{providers,chat,agents,http}/**'],
      excludeFiles: ['**/*.test.ts', '**/describe-*.ts'],
      rules: {
        'no-restricted-properties': [
          'error',
          randomAsArgument,
          {
            object: 'Date',
            property: 'now',
            message: 'The time is an argument: it comes in through startService.',
          },
        ],
      },
    },
    {
      files: ['src/service/{catalog,routing}/**'],
      excludeFiles: ['**/*.test.ts', '**/describe-*.ts'],
      rules: {
        'no-restricted-globals': [
          'error',
          {
            checkGlobalObject: true,
            globals: [
              ...refuse('fetch', 'fetch is an argument: it comes in through startService.'),
              ...refuse(
                'Date performance setTimeout setInterval setImmediate queueMicrotask crypto process console',
                'catalog and routing are pure: values in, decision out.',
              ),
            ],
          },
        ],
      },
    },
    {
      files: ['src/preload/**'],
      rules: {
        'unicorn/require-post-message-target-origin': 'error',
      },
    },
    {
      files: ['src/renderer/**'],
      excludeFiles: ['**/*.test.{ts,tsx}'],
      rules: {
        'no-restricted-globals': [
          'error',
          {
            checkGlobalObject: true,
            globals: [
              ...refuse(
                'fetch XMLHttpRequest WebSocket EventSource',
                'The window never talks to the network: ask the main process (shared/ipc.ts).',
              ),
            ],
          },
        ],
        'max-lines-per-function': [
          'error',
          {
            max: 120,
          },
        ],
        'react/rules-of-hooks': 'error',
        'react/exhaustive-deps': 'error',
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: [
                  'electron',
                  'electron/**',
                  'node:*',
                  'node:*/**',
                  'fastify',
                  '@fastify/**',
                  'undici',
                  'pino',
                  'rotating-file-stream',
                  'better-sqlite3',
                  'pg',
                  'ioredis',
                  'keytar',
                  'node-llama-cpp',
                  'commander',
                  'openai',
                  '@peculiar/x509',
                  'quickjs-emscripten-core',
                  '@jitl/**',
                ],
                message: 'The window runs in a sandbox: ask the main process (shared/ipc.ts).',
              },
              {
                regex: '^(\\.\\./)+(service|main|preload)/',
                message: 'renderer may import: shared.',
              },
            ],
          },
        ],
        'unicorn/require-post-message-target-origin': 'error',
      },
    },
    {
      files: ['**/*.test.{ts,tsx}', '**/describe-*.ts', 'e2e/**'],
      rules: {
        'max-lines': 'off',
        'max-lines-per-function': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
        'max-params': 'off',
        'unicorn/no-array-sort': 'off',
        'vitest/valid-describe-callback': 'off',
      },
    },
    {
      // A migration is one text in SQL.
      files: ['src/service/storage/*/migrations/*-*.ts'],
      rules: {
        'max-lines': 'off',
      },
    },
    {
      files: ['*.config.ts', 'scripts/vitest-report.mjs'],
      rules: {
        'import/no-default-export': 'off',
      },
    },
    {
      files: ['sdk/**'],
      rules: {
        'no-underscore-dangle': ['error', { allow: ['_meta', '_options'] }],
      },
    },
    {
      files: [
        'scripts/**',
        'bench/**',
        'training/**',
        'torture/**',
        'cluster/**',
        'bin/**',
        'sdk/examples/**',
      ],
      rules: {
        'no-console': 'off',
      },
    },
    {
      files: ['**/*.{mjs,cjs}'],
      rules: {
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
        'typescript/restrict-template-expressions': 'off',
      },
    },
    {
      files: ['**/*.cjs'],
      rules: {
        'typescript/no-require-imports': 'off',
      },
    },
  ],
})
