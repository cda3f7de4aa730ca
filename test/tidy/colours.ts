// The colours of the console: axe sees those of the pages that it is shown, in the light; these rules hold for all.
import { filesIn, type Rule } from './tree'

const tinted = (...names: string[]) => names.map((name) => `${name}-soft`)

/** The colours of texts, and those behind them: any of the one may stand on any of the other. */
const texts = ['text', 'soft', 'accent', 'accent-hover', 'good', 'wait', 'bad', 'move']
const backgrounds = ['page', 'surface', 'sunk', 'raised', 'hover', ...tinted('accent', 'good', 'wait', 'bad', 'move')]
/** A sign beside words has to be seen, not read; what only adorns, or fills a bar, stands behind no text of another colour. */
const signs = ['out']
const marks = ['line', 'edge', 'tone', 'good', 'accent', 'accent-hover']

/** WCAG 2.2 AA: texts (1.4.3), and what is no text (1.4.11). */
const pairs: [colours: string[], behind: string[], atLeast: number][] = [
  [texts, backgrounds, 4.5],
  [['on-accent'], ['accent', 'accent-hover'], 4.5],
  [signs, backgrounds, 3],
]

const themes = ['light', 'dark']
const tokens = 'packages/console/src/style/tokens.css'

/** How bright a colour is to the eye, from 0 to 1 (WCAG 2.2, relative luminance). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function badContrasts(css: string): string[] {
  const found = css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)
  const colours = new Map([...found].map(([, name = '', ...both]) => [name, both]))
  const complaints = (over: string, behind: string, atLeast: number) =>
    themes.flatMap((theme, at) => {
      const is = contrast(colours.get(over)?.[at] ?? '', colours.get(behind)?.[at] ?? '')
      // What tokens.css does not have is NaN, and not enough.
      return is >= atLeast ? [] : [`${tokens}: ${over} on ${behind} is ${is.toFixed(2)} in ${theme}, not ${atLeast}`]
    })
  return pairs.flatMap(([over, behind, atLeast]) =>
    over.flatMap((one) => behind.flatMap((other) => complaints(one, other, atLeast))),
  )
}

const readable: Rule = {
  says: 'every text of the console can be read on every background, in both themes',
  complaints: (tree) => badContrasts(tree.get(tokens) ?? ''),
  breaks: [{}, { [tokens]: ':root {\n  --text: light-dark(#777777, #ffffff);\n}\n' }],
}

const literal = /^(inherit|none|transparent|currentColor)$/
/** What dims the page behind a dialog. */
const dimmed = 'rgb(0 0 0 / 45%)'
const allowed = {
  color: new Set([...texts, ...signs, 'on-accent', 'tone']),
  background: new Set([...backgrounds, ...marks, 'tone-soft']),
}

function isAllowed(kind: keyof typeof allowed, value: string): boolean {
  const names = [...value.matchAll(/var\(--([\w-]+)/g)].map(([, name = '']) => name)
  if (names.length === 0) return literal.test(value) || (kind === 'background' && value === dimmed)
  return names.every((name) => allowed[kind].has(name))
}

const fromTokens: Rule = {
  says: 'the console takes the colours of texts and backgrounds from those that go together',
  complaints: (tree) =>
    filesIn(tree, /^packages\/console\/src\/.*\.css$/)
      // A plot draws lines and areas by its classes; its words are `--soft`.
      .filter(([path]) => !/\/(tokens|plot)\.css$/.test(path))
      .flatMap(([path, text]) =>
        [...text.matchAll(/(?<![\w-])(color|background)(?:-color)?:\s*([^;}]+)/g)]
          .filter(([, kind, value = '']) => !isAllowed(kind === 'color' ? 'color' : 'background', value.trim()))
          .map(([declaration]) => `${path}: ${declaration}: name it among the colours of test/tidy/colours.ts`),
      ),
  breaks: ['color: #777', 'color: var(--line)', 'background: var(--text)', 'background: #fff'].map((declaration) => ({
    'packages/console/src/ui/x.css': `.x {\n  ${declaration};\n}\n`,
  })),
}

export const colourRules = [readable, fromTokens]
