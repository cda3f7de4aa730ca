/** A setting of .env.example. */
export interface Setting {
  name: string
  /** Its heading: `All services`, `Quote`. */
  group: string
  /** The default, or an example; empty for neither. */
  value: string
  meaning: string
}

/** The settings of .env.example. A comment holds for all the settings that follow it without an empty line. */
export function readSettings(example: string): Setting[] {
  let group = ''
  return example.split(/\n{2,}/).flatMap((block) => {
    const lines = block.split('\n').filter(Boolean)
    group = /^# --- (.+) ---$/.exec(lines[0] ?? '')?.[1] ?? group
    const meaning = lines.filter((line) => !isSetting(line)).map((line) => line.replace(/^# ?/, ''))
    return lines.filter(isSetting).map((line) => {
      const [name = '', ...value] = line.replace('# ', '').split('=')
      return { name, group, value: value.join('='), meaning: meaning.join(' ') }
    })
  })
}

const isSetting = (line: string): boolean => /^# [A-Z]\w*=/.test(line)
