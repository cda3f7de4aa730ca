import { defineConfig } from 'drizzle-kit'
import { dialect } from '../src/config'

export default defineConfig({
  dialect,
  casing: 'snake_case',
  schema: ['./packages/store/test/fixture/*.table.ts', './packages/store/src/schema/shared.table.ts'],
  out: `./packages/store/test/migrations${dialect === 'sqlite' ? '' : '-postgres'}`,
})
