/**
 * `bun packages/console/font/make.ts`: makes `inter.woff2` anew, the console's own font. It is a part of Inter: western
 * letters and the marks that the console writes, one axis of weights, figures of equal width.
 */
import { join } from 'node:path'
import subsetFont from 'subset-font'

const from = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
const characters = (first: number, last: number) =>
  String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, i) => first + i))
const text = `${characters(0x20, 0x7e)}${characters(0xa0, 0xff)}–—‘’“”…•−·×≈→↑↓›‹€£`

const whole = Buffer.from(await Bun.file(Bun.resolveSync(from, import.meta.dir)).arrayBuffer())
const part = await subsetFont(whole, text, {
  targetFormat: 'woff2',
  keepFeatures: ['tnum'],
  variationAxes: { wght: { min: 400, max: 700 } },
  noHinting: true,
})
await Bun.write(join(import.meta.dir, 'inter.woff2'), part)
process.stdout.write(`inter.woff2 has ${part.length} bytes\n`)
