/**
 * Removes symbol tables and debug information, as `strip` does. It works for every processor we build for; the `strip`
 * of one machine handles only its own.
 */

/** Offsets in the header of a 64-bit file. */
const HEADER = {
  programs: 0x20,
  sections: 0x28,
  programSize: 0x36,
  programCount: 0x38,
  count: 0x3c,
  names: 0x3e,
} as const;
/** Offsets in a section header. */
const SECTION = { type: 4, flags: 8, offset: 24, size: 32, link: 40, info: 44, length: 64 } as const;
/** Offsets in a program header. */
const PROGRAM = { offset: 8, size: 32 } as const;

const IS_LOADED = 0x2n;
const INFO_IS_SECTION = 0x40n;
/** Sections of this type occupy memory but no space in the file. */
const NO_BITS = 8;

/** Removes everything that is not loaded at run time. Throws if the input is no 64-bit little-endian ELF file. */
export function stripDebugInfo(program: Buffer): Buffer {
  if (program.readUInt32BE(0) !== 0x7f_45_4c_46 || program[4] !== 2 || program[5] !== 1) {
    throw new Error('this is no program for a 64-bit little-endian Linux');
  }
  const sections = sectionsOf(program);
  const names = program.readUInt16LE(HEADER.names);
  const kept = sections.flatMap((section, index) =>
    index === 0 || index === names || (section.readBigUInt64LE(SECTION.flags) & IS_LOADED) !== 0n ? [index] : [],
  );
  const end = endOfLoaded(
    program,
    kept.filter((index) => index !== names).map((index) => sections[index]),
  );
  const [namesOffset, namesSize] = extentOf(sections[names]);
  const table = aligned(end + namesSize);
  const out = Buffer.alloc(table + kept.length * SECTION.length);
  program.copy(out, 0, 0, end);
  program.copy(out, end, namesOffset, namesOffset + namesSize);
  for (const [place, index] of kept.entries()) {
    const section = Buffer.from(sections[index] ?? []);
    if (index === names) section.writeBigUInt64LE(BigInt(end), SECTION.offset);
    renumber(section, SECTION.link, kept);
    if ((section.readBigUInt64LE(SECTION.flags) & INFO_IS_SECTION) !== 0n) renumber(section, SECTION.info, kept);
    section.copy(out, table + place * SECTION.length);
  }
  out.writeBigUInt64LE(BigInt(table), HEADER.sections);
  out.writeUInt16LE(kept.length, HEADER.count);
  out.writeUInt16LE(kept.indexOf(names), HEADER.names);
  return out;
}

function sectionsOf(program: Buffer): Buffer[] {
  const from = Number(program.readBigUInt64LE(HEADER.sections));
  return Array.from({ length: program.readUInt16LE(HEADER.count) }, (_, index) =>
    program.subarray(from + index * SECTION.length, from + (index + 1) * SECTION.length),
  );
}

function extentOf(section: Buffer | undefined): [offset: number, size: number] {
  if (section === undefined) throw new Error('this program names a section that it does not have');
  return [Number(section.readBigUInt64LE(SECTION.offset)), Number(section.readBigUInt64LE(SECTION.size))];
}

/** Offset in the file at which loaded data ends. */
function endOfLoaded(program: Buffer, sections: readonly (Buffer | undefined)[]): number {
  const from = Number(program.readBigUInt64LE(HEADER.programs));
  const size = program.readUInt16LE(HEADER.programSize);
  let end = from + size * program.readUInt16LE(HEADER.programCount);
  for (let at = from; at < from + size * program.readUInt16LE(HEADER.programCount); at += size) {
    const part = program.subarray(at, at + size);
    end = Math.max(end, Number(part.readBigUInt64LE(PROGRAM.offset) + part.readBigUInt64LE(PROGRAM.size)));
  }
  for (const section of sections) {
    if (section?.readUInt32LE(SECTION.type) === NO_BITS) continue;
    const [offset, length] = extentOf(section);
    end = Math.max(end, offset + length);
  }
  return end;
}

function aligned(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}

/** Updates a reference to another section by index, because the indexes have changed. */
function renumber(section: Buffer, field: number, kept: readonly number[]): void {
  section.writeUInt32LE(Math.max(0, kept.indexOf(section.readUInt32LE(field))), field);
}
