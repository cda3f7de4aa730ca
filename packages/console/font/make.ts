/**
 * `bun packages/console/font/make.ts`: makes the console's own font anew. It is a part of Inter, with one axis of weights
 * and figures of equal width: `inter.woff2` has the letters and marks of every page, `inter-accents.woff2` what names of
 * western Europe need besides.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const whole = await Bun.file(
  fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')),
).bytes()

const characters = (first: number, last: number) =>
  String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, i) => first + i))

for (const [name, text] of [
  ['inter', `${characters(0x20, 0x7e)}–—‘’“”…•−·×≈→↑↓›‹€£`],
  ['inter-accents', characters(0xa0, 0xff).replace(/[·×£]/g, '')],
] as const) {
  const part = await subsetFont(Buffer.from(whole), text, {
    targetFormat: 'woff2',
    keepFeatures: ['tnum'],
    variationAxes: { wght: { min: 400, max: 700 } },
    noHinting: true,
  })
  await Bun.write(join(import.meta.dir, `${name}.woff2`), part)
  process.stdout.write(`${name}.woff2 has ${part.length} bytes\n`)
}
