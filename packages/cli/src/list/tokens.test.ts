import { expect, test } from "vitest";
import { tokensOf } from "./tokens.ts";

/** Descriptions of a tool, some of which the weights were fitted to, with the tokens of its whole definition: counted with gpt-tokenizer 4.0.0, encoding o200k_base. */
const COUNTED: readonly (readonly [language: string, tokens: number, description: string])[] = [
  [
    "English",
    61,
    "Returns the current weather conditions for a named city, with temperature, humidity and wind speed in the units that the caller asks for.",
  ],
  [
    "German",
    86,
    "Gibt das aktuelle Wetter für eine Stadt zurück, mit Temperatur, Luftfeuchtigkeit und Windgeschwindigkeit in den gewünschten Einheiten. Löscht eine Datei endgültig. Für größere Ordner kann der Vorgang einige Minuten dauern; geprüft werden auch Rechte.",
  ],
  [
    "French",
    56,
    "Crée une nouvelle tâche dans le projet indiqué et prévient les personnes concernées par courrier électronique.",
  ],
  [
    "Russian",
    94,
    "Возвращает текущую погоду для указанного города: температуру, влажность и скорость ветра в единицах, которые запросил вызывающий. Удаляет файл без возможности восстановления. Если у пользователя нет прав, запрос отклоняется с сообщением об ошибке.",
  ],
  [
    "Chinese",
    104,
    "返回指定城市的当前天气状况，包括温度、湿度和风速，单位由调用者指定。如果找不到该城市，则返回错误信息。 创建一个新任务并通知项目成员。截止日期必须晚于今天，优先级可以是高、中或低。",
  ],
  [
    "Japanese",
    116,
    "指定された都市の現在の天気を返します。気温、湿度、風速を含み、単位は呼び出し側が指定します。 新しいタスクを作成し、プロジェクトのメンバーに通知します。期限は今日より後の日付でなければなりません。",
  ],
  [
    "Korean",
    112,
    "지정한 도시의 현재 날씨를 반환합니다. 기온, 습도, 풍속을 호출자가 요청한 단위로 제공합니다. 새 작업을 만들고 프로젝트 구성원에게 알립니다. 마감일은 오늘 이후여야 하며 우선순위는 높음, 보통, 낮음 중 하나입니다.",
  ],
  [
    "Arabic",
    103,
    "يعيد حالة الطقس الحالية لمدينة محددة، مع درجة الحرارة والرطوبة وسرعة الرياح بالوحدات التي يطلبها المتصل. ينشئ مهمة جديدة ويخطر أعضاء المشروع. يجب أن يكون تاريخ الاستحقاق بعد اليوم، والأولوية عالية أو متوسطة أو منخفضة.",
  ],
  [
    "Hindi",
    97,
    "निर्दिष्ट शहर के लिए वर्तमान मौसम की स्थिति लौटाता है, जिसमें तापमान, आर्द्रता और हवा की गति शामिल है। एक नया कार्य बनाता है और परियोजना के सदस्यों को सूचित करता है। अंतिम तिथि आज के बाद की होनी चाहिए।",
  ],
  [
    "Greek",
    120,
    "Επιστρέφει τον τρέχοντα καιρό για μια πόλη, με θερμοκρασία, υγρασία και ταχύτητα ανέμου στις μονάδες που ζητά ο καλών. Δημιουργεί μια νέα εργασία και ειδοποιεί τα μέλη του έργου. Η προθεσμία πρέπει να είναι μετά τη σημερινή ημέρα.",
  ],
  [
    "Thai",
    94,
    "ส่งคืนสภาพอากาศปัจจุบันของเมืองที่ระบุ รวมถึงอุณหภูมิ ความชื้น และความเร็วลม สร้างงานใหม่และแจ้งสมาชิกของโครงการ วันครบกำหนดต้องอยู่หลังวันนี้",
  ],
  [
    "Hebrew",
    109,
    "מחזיר את מזג האוויר הנוכחי עבור עיר מסוימת, כולל טמפרטורה, לחות ומהירות רוח ביחידות המבוקשות. יוצר משימה חדשה ומודיע לחברי הפרויקט. תאריך היעד חייב להיות אחרי היום, והעדיפות גבוהה, בינונית או נמוכה.",
  ],
];

test.each(COUNTED)(
  "[CLI-list-tokens] the estimate for a tool in %s is within a tenth of %i tokens",
  (_, tokens, description) => {
    const properties = { city: { type: "string", description: description.slice(0, 20) } };
    const estimate = tokensOf({
      name: "find",
      description,
      inputSchema: { type: "object", properties, required: ["city"] },
    });
    expect(Math.abs(estimate / tokens - 1)).toBeLessThan(0.1);
  },
);

test("a million equal characters are estimated before the test times out, so in linear time", () => {
  for (const sign of ["a", "A", "語", "!", " ", "1"])
    expect(tokensOf([sign.repeat(1_000_000)])).toBeGreaterThan(0);
});
