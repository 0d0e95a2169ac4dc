import { type Decimal, parseDecimal } from "./decimal.ts";

export interface Unit {
  /** Quantities of one dimension can be compared. */
  readonly dimension: string;
  readonly factor: Decimal;
}

/** A unit by its symbol (capitals count: mW is not MW) or its name (they do not). */
export function findUnit(text: string): Unit | undefined {
  return SYMBOLS.get(text) ?? NAMES.get(text.toLowerCase());
}

/**
 * dimension: factor symbols | names. Left out on purpose: what has two readings (pounds, K after a figure, ¥) and what has
 * no fixed length (a month against days). Kilobytes stand alone, because some count 1000 and some 1024 bytes.
 */
const TABLE = `
length: 1 m | meter meters metre metres metro metros
length: 1000 km | kilometer kilometers kilometre kilometres quilômetro quilômetros kilómetro kilómetros
length: 0.01 cm | centimeter centimeters centimetre centimetres centímetro centímetros
length: 0.001 mm | millimeter millimeters millimetre millimetres milímetro milímetros
length: 0.000001 μm | micrometer micrometers micrometre micrometres
length: 0.000000001 nm | nanometer nanometers nanometre nanometres
length: 1609.344 mi | mile miles milha milhas milla millas
length: 0.9144 yd | yard yards
length: 0.3048 ft | foot feet
length: 0.0254 in | inch inches
time: 1 s sec secs | second seconds segundo segundos
time: 60 min mins | minute minutes minuto minutos
time: 3600 h hr hrs | hour hours hora horas
time: 86400 d | day days dia dias día días
time: 604800 | week weeks semana semanas
time: 0.001 ms | millisecond milliseconds milissegundos milisegundos
time: 0.000001 μs us | microsecond microseconds
time: 0.000000001 ns | nanosecond nanoseconds
month: 1 | month months mês meses mes
year: 1 | year years ano anos año años
mass: 1 g | gram grams grama gramas gramo gramos
mass: 1000 kg | kilogram kilograms kilo kilos quilograma quilogramas kilogramo kilogramos
mass: 0.001 mg | milligram milligrams
mass: 1000000 | tonne tonnes
poundmass: 1 lb lbs |
volume: 1 l L | liter liters litre litres litro litros
volume: 0.001 ml mL | milliliter milliliters millilitre millilitres mililitro mililitros
data: 1 B | byte bytes
data: 1024 KiB | kibibyte kibibytes
data: 1048576 MiB | mebibyte mebibytes
data: 1073741824 GiB | gibibyte gibibytes
bit: 1 | bit bits
kilobyte: 1 kB KB | kilobyte kilobytes
megabyte: 1 MB | megabyte megabytes
gigabyte: 1 GB | gigabyte gigabytes
terabyte: 1 TB | terabyte terabytes
frequency: 1 Hz | hertz
frequency: 1000 kHz | kilohertz
frequency: 1000000 MHz | megahertz
frequency: 1000000000 GHz | gigahertz
power: 1 W | watt watts
power: 0.001 mW | milliwatt milliwatts
power: 1000 kW | kilowatt kilowatts
power: 1000000 MW | megawatt megawatts
voltage: 1 V | volt volts
speed: 1 km/h | kph kmh
mph: 1 mph |
area: 1 m^2 |
volume3: 1 m^3 |
celsius: 1 °C | °c celsius
fahrenheit: 1 °F | °f fahrenheit
kelvin: 1 | kelvin kelvins
share: 1 % | percent por%cento
usd: 1 USD US$ | dollar dollars
eur: 1 EUR € | euro euros
gbp: 1 GBP £ |
brl: 1 BRL R$ | real reais
cad: 1 CAD |
`;

const rows = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [, dimension = "", factor = "", symbols = "", names = ""] = /^(\w+): (\S+)( [^|]*)\|(.*)$/.exec(
      line,
    )!;
    const unit: Unit = { dimension, factor: parseDecimal(factor)! };
    const list = (text: string) => text.split(" ").filter((word) => word !== "");
    return { unit, symbols: list(symbols), names: list(names) };
  });
const SYMBOLS: ReadonlyMap<string, Unit> = new Map(
  rows.flatMap(({ unit, symbols }) => symbols.map((name) => [name, unit] as const)),
);
const NAMES: ReadonlyMap<string, Unit> = new Map(
  rows.flatMap(({ unit, names }) => names.map((name) => [name, unit] as const)),
);
